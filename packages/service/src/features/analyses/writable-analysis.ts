import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db } from "../../platform/context.ts";
import { readerOf } from "./rights.ts";
import type { AnalysisDocument } from "./saved-document.ts";
import * as store from "./store.ts";
import { unknownAnalysis } from "./unknown-analysis.ts";

/**
 * The document of an analysis whose frames the caller may write.
 *
 * @throws {ServiceError} NON-EXISTENT-ANALYSIS; NOT-AUTHORIZED for those who may only read it
 */
export async function writableAnalysis(db: Db, analysisId: string, caller: Caller): Promise<AnalysisDocument> {
  const row = await store.readAnalysis(db, analysisId, readerOf(caller));
  if (row === null || row.rights === null) throw unknownAnalysis(analysisId);
  if (row.rights !== "owner" && row.rights !== "editor") {
    throw new ServiceError("NOT-AUTHORIZED", "only editors and the owner add maps to this analysis");
  }
  return JSON.parse(row.document) as AnalysisDocument;
}
