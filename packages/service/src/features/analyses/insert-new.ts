import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Trx } from "../../platform/context.ts";
import * as store from "./store.ts";

export interface NewAnalysis {
  readonly id: string;
  readonly path: string;
  readonly isPublic: boolean;
  readonly document: string;
  readonly at: Date;
}

/** As many as a list shows in 50 pages; a document takes at most 1 MiB. */
const MAX_ANALYSES_PER_USER = 5_000;

/**
 * Creates an analysis of the caller.
 *
 * @throws {ServiceError} CONFLICT for one analysis too many, and for an ID that exists
 */
export async function insertNew(
  trx: Trx,
  { userId }: Pick<Caller, "userId">,
  { id, path, isPublic, document, at }: NewAnalysis,
): Promise<void> {
  if ((await store.countAnalyses(trx, userId)) >= MAX_ANALYSES_PER_USER) {
    throw new ServiceError("CONFLICT", `you have ${MAX_ANALYSES_PER_USER} analyses already: delete one first`);
  }
  const isNew = await store.insertAnalysis(trx, {
    id,
    owner_id: userId,
    version: 1,
    path,
    is_public: isPublic,
    document,
    created_at: at,
    opened_at: at,
  });
  if (!isNew) throw new ServiceError("CONFLICT", `the analysis ${id} was created at the same time: get it again`);
}
