import { Type } from "typebox";
import { definePipeline } from "../../kit/pipeline-operation.ts";
import { downloadMembers } from "../maps/downloads-contract.ts";
import { AnalysisId, AnalysisVersion } from "./analysis.ts";

const API = "analytics.analysis.api";
/** Maps of an archive with files. */
export const MAX_ARCHIVED_MAPS = 200;

export const exportAnalysis = definePipeline({
  path: "/analytics/analysis/export",
  unknownMembers: "refuse",
  summary: "Export an analysis that the caller may read as a zip",
  description:
    "analysis.json, areas and detections as GeoJSON, results as CSV, a PNG of each map and a PDF report. People and " +
    "`public` are left out. The features that the analysis hides are absent from the files of its maps.",
  permissions: [API, "analytics.analysis.download.report"],
  request: Type.Object({ analysisId: AnalysisId }),
  result: Type.Object(
    {
      ...downloadMembers,
      maps: Type.Integer({ description: "maps with files", minimum: 0 }),
      mapsWithoutFiles: Type.Integer({
        description: `maps that no longer exist, or beyond ${MAX_ARCHIVED_MAPS} maps or 128 MiB; analysis.json has them`,
        minimum: 0,
      }),
    },
    { title: "ExportedAnalysis" },
  ),
  errors: ["NON-EXISTENT-ANALYSIS"],
  work: { maps: () => MAX_ARCHIVED_MAPS },
});

export const importAnalysis = definePipeline({
  path: "/analytics/analysis/import",
  unknownMembers: "refuse",
  summary: "Create an analysis from an exported zip",
  description:
    "The zip is an upload of `/imagery/ingest-scene/upload`. Only analysis.json is read. The new analysis belongs to " +
    "the caller, is not public and has no other people. Scenes and maps that this service does not know stay as " +
    "references.",
  permissions: [API],
  request: Type.Object({
    filepath: Type.String({ description: "`filepath` of the upload answer", minLength: 1, maxLength: 256 }),
  }),
  result: Type.Object(
    {
      analysisId: AnalysisId,
      version: AnalysisVersion,
      unknownScenes: Type.Array(Type.String(), { description: "scenes that the caller cannot see here" }),
      unknownMaps: Type.Integer({ description: "maps whose IDs this service has not signed", minimum: 0 }),
    },
    { title: "ImportedAnalysis" },
  ),
  errors: ["NON-EXISTENT-UPLOAD", "CONFLICT", "BAD-REQUEST", "VALIDATION-ERROR"],
});
