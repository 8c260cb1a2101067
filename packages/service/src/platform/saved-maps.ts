import type { Caller } from "./context.ts";

/** Features of maps that an analysis hides. */
export interface HiddenFeatures {
  /** Changes with the analysis. */
  readonly tag: string;
  readonly featureIds: ReadonlySet<string>;
}

/** The maps of an analysis and how it describes them. */
export interface AnalysisMaps {
  readonly name: string | null;
  readonly description: string;
  /** Signed map IDs, by frame: maps of the area before maps of inner polygons. */
  readonly mapIds: readonly string[];
}

/** Reads the analyses that keep maps. Analyses build on maps, so the composition hands this to maps. */
export interface SavedMaps {
  /** Null when there is no such analysis. */
  hidden(analysisId: string): Promise<HiddenFeatures | null>;
  /** @throws {ServiceError} NON-EXISTENT-ANALYSIS when the caller may not read it */
  ofAnalysis(caller: Caller, analysisId: string): Promise<AnalysisMaps>;
}
