import type { Db } from "../../platform/context.ts";
import type { Reader } from "./rights.ts";
import * as store from "./store.ts";
import { unknownAnalysis } from "./unknown-analysis.ts";

/** An analysis on which the reader has rights. @throws {ServiceError} NON-EXISTENT-ANALYSIS */
export async function readableAnalysis(db: Db, analysisId: string, reader: Reader): Promise<store.AnalysisRow> {
  const row = await store.readAnalysis(db, analysisId, reader);
  if (row === null || row.rights === null) throw unknownAnalysis(analysisId);
  return row;
}
