import { Type } from "typebox";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { DatetimeInputSchema } from "../../kit/schemas/time.ts";
import { Aggregate, readPermissions, READ_PERMISSION } from "../datacube/points-contract.ts";
import { AlgorithmName, AoiId, ProjectName, SourceName } from "../datacube/schemas.ts";
import { downloadMembers } from "./downloads-contract.ts";

export const MAX_REPORT_MAPS = 40;
export const MAX_REPORT_TITLE_CHARS = 200;
export const MAX_REPORT_NOTES_CHARS = 4000;
/** Charts of the datacube in a report. */
const MAX_REPORT_SERIES = 10;
/** A chart has at most 5 lines. */
const MAX_CHART_NAMES = 100;

const ReportSeries = Type.Object(
  {
    project: ProjectName,
    algorithms: Type.Optional(Type.Array(AlgorithmName, { minItems: 1, maxItems: MAX_CHART_NAMES })),
    sources: Type.Optional(Type.Array(SourceName, { minItems: 1, maxItems: MAX_CHART_NAMES })),
    aoiIds: Type.Optional(
      Type.Array(AoiId, {
        description: "default: the areas of the project that have ground in common with the maps of the report",
        minItems: 1,
        maxItems: MAX_CHART_NAMES,
      }),
    ),
    startDatetime: Type.Optional({ ...DatetimeInputSchema, description: "datapoints that do not end before" }),
    endDatetime: Type.Optional({ ...DatetimeInputSchema, description: "datapoints that do not start after" }),
    asOf: Type.Optional({ ...DatetimeInputSchema, description: "the datapoints as they were at that moment" }),
    aggregate: Type.Optional(Aggregate),
    title: Type.Optional(
      Type.String({
        description: "by default the project and the algorithms",
        minLength: 1,
        maxLength: MAX_REPORT_TITLE_CHARS,
      }),
    ),
  },
  { description: "a chart of a datacube: up to 5 lines of areas and series, and 2,000 datapoints" },
);
export type ReportSeries = Type.Static<typeof ReportSeries>;

export const ReportRequest = Type.Object({
  maps: Type.Optional(
    Type.Array(Type.String({ description: "signed map ID of a release", minLength: 1, maxLength: 4096 }), {
      description: "maps of the report, in order; required unless `analysisId` is given",
      minItems: 1,
      maxItems: MAX_REPORT_MAPS,
    }),
  ),
  analysisId: Type.Optional(
    Type.String({
      description: `analysis whose maps are reported, at most ${MAX_REPORT_MAPS}; not beside \`maps\``,
      minLength: 1,
      maxLength: 64,
    }),
  ),
  title: Type.Optional(
    Type.String({
      description: "by default the name of the analysis, or the map types",
      minLength: 1,
      maxLength: MAX_REPORT_TITLE_CHARS,
    }),
  ),
  notes: Type.Optional(
    Type.String({
      description: "paragraphs are divided by line breaks; by default the description of the analysis",
      maxLength: MAX_REPORT_NOTES_CHARS,
    }),
  ),
  series: Type.Optional(
    Type.Array(ReportSeries, {
      description:
        "charts of series of datacubes that the caller may read, each with its gaps and a table of its values",
      minItems: 1,
      maxItems: MAX_REPORT_SERIES,
    }),
  ),
  basemap: Type.Optional(
    Type.Union([Type.Literal("land"), Type.Literal("none")], {
      description: "background of the overview",
      default: "land",
    }),
  ),
});

export const ReportResult = Type.Object(
  {
    ...downloadMembers,
    pages: Type.Integer({ minimum: 1 }),
    charts: Type.Array(
      Type.Object({
        name: Type.String({ description: "the PDF holds the same numbers as the attachment <name>.csv" }),
        title: Type.String(),
        unit: Type.String(),
        csv: Type.String({ description: "a row for each date, a column for each line" }),
      }),
      { description: "numbers of the charts" },
    ),
  },
  { title: "ReportResult" },
);

export type ReportRequest = Type.Static<typeof ReportRequest>;
export type ReportResult = Type.Static<typeof ReportResult>;

export const pdfReport = definePipeline({
  path: "/mapsvc/pdf-report",
  unknownMembers: "refuse",
  permissions: ["analytics.analysis.download.report"],
  conditionalPermissions: [READ_PERMISSION],
  dynamicPermissions: ({ series = [] }) => series.flatMap(readPermissions),
  summary: "Make a PDF report of maps",
  description:
    "A4: title, overview, each map with legend, scale bar, north arrow and statistics, attributions. Types with " +
    "several maps have a chart over dates, with its numbers as CSV. So has each of `series`. The map IDs grant access to the maps; an analysis is " +
    "reported to those who may read it, without the features that it hides.",
  request: ReportRequest,
  result: ReportResult,
  errors: ["INVALID-MAP-ID", "NON-EXISTENT-ANALYSIS"],
  work: { maps: ({ maps }) => maps?.length ?? MAX_REPORT_MAPS },
});
