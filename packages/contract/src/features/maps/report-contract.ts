import { Type } from "typebox";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { downloadMembers } from "./downloads-contract.ts";

export const MAX_REPORT_MAPS = 40;
export const MAX_REPORT_TITLE_CHARS = 200;
export const MAX_REPORT_NOTES_CHARS = 4000;

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
  summary: "Make a PDF report of maps",
  description:
    "A4: title, overview, each map with legend, scale bar, north arrow and statistics, attributions. Types with " +
    "several maps have a chart over dates, with its numbers as CSV. The map IDs grant access to the maps; an analysis is " +
    "reported to those who may read it, without the features that it hides.",
  request: ReportRequest,
  result: ReportResult,
  errors: ["INVALID-MAP-ID", "NON-EXISTENT-ANALYSIS"],
  work: { maps: ({ maps }) => maps?.length ?? MAX_REPORT_MAPS },
});
