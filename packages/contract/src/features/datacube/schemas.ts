import { Type } from "typebox";
import { DATACUBE_NAMES } from "./names.ts";

const name = (member: keyof typeof DATACUBE_NAMES, description: string, example: string) =>
  Type.String({ description, pattern: DATACUBE_NAMES[member], examples: [example] });

export const ProjectName = name("project", "project of the datacube", "aluminium");
export const AlgorithmName = name("algorithm", "measure", "ndmi_mean");
export const SourceName = name("source", "source of the measurement", "landsat_8");
export const AoiId = name("aoiId", "area of interest, by its ID in the project", "smelter-7");
export const VersionName = name("version", "version of a datapoint; later in the order of text is newer", "2024-06-30");

/** Milliseconds matter: an answer as of this moment is repeated exactly. */
export const MomentSchema = Type.String({
  description: "UTC, YYYY-MM-DD HH:MM:SS.mmm",
  pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}[.]\\d{3}$",
  examples: ["2024-06-30 10:15:00.250"],
});

/** Most datapoints of one synchronous answer. */
export const MAX_DATAPOINTS = 10_000;
export const MAX_PAGE_AOIS = 1000;
export const MAX_NAMED_AOIS = 10_000;
