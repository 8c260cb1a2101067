import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db } from "../../platform/context.ts";
import { readableAnalysis } from "./readable-analysis.ts";
import { readerOf } from "./rights.ts";
import type { AnalysisDocument } from "./saved-document.ts";

/**
 * The document of an analysis whose frames the caller may write.
 *
 * @throws {ServiceError} NON-EXISTENT-ANALYSIS; NOT-AUTHORIZED for those who may only read it
 */
export async function writableAnalysis(db: Db, analysisId: string, caller: Caller): Promise<AnalysisDocument> {
  const row = await readableAnalysis(db, analysisId, readerOf(caller));
  if (row.rights !== "owner" && row.rights !== "editor") {
    throw new ServiceError("NOT-AUTHORIZED", "only editors and the owner add maps to this analysis");
  }
  return JSON.parse(row.document) as AnalysisDocument;
}
