import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { ingestionContract, type IngestRequest } from "@swath/contract/features/ingestion/contract";
import type { Db, RequestContext } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { PipelineService } from "../../platform/queue/pipeline-service.ts";
import { admitIngest, type AdmitIngestDeps } from "./admit-ingest.ts";
import type { IngestResult } from "./ingest-pipeline.ts";

export interface IngestAndWaitDeps extends AdmitIngestDeps {
  readonly db: Db;
  readonly pipelines: Pick<PipelineService, "enqueue" | "retrieve" | "waitFor">;
  /** How long the synchronous operation waits, milliseconds; 5 minutes unless given. */
  readonly waitMs?: number;
}

const DEFAULT_WAIT_MS = 5 * 60 * 1000;
const RETRY_AFTER_S = 5;
const { lane: LANE, path: KIND } = ingestionContract.ingestScenePipeline;

/**
 * Accepts an ingest and waits for its end.
 *
 * @throws {ServiceError} SERVICE-UNAVAILABLE while it still runs, at once when the caller has too many waiting requests
 */
export async function ingestAndWait(
  deps: IngestAndWaitDeps,
  request: Static<typeof IngestRequest>,
  { beginWait, caller, baseUrl, signal }: RequestContext,
): Promise<IngestResult> {
  const { pipelines } = deps;
  const { pipelineId } = await inTransaction(deps.db, async (transaction) => {
    await admitIngest(deps, request, caller, transaction);
    return pipelines.enqueue(transaction, { kind: KIND, lane: LANE, request, caller, baseUrl });
  });
  const status = await pipelines.waitFor(pipelineId, signal, deps.waitMs ?? DEFAULT_WAIT_MS, beginWait);
  if (status === "NEW" || status === "PROCESSING") {
    throw new ServiceError(
      "SERVICE-UNAVAILABLE",
      `the file is still being ingested: ask ${KIND}/retrieve for pipeline ${pipelineId}`,
      { retryAfterS: RETRY_AFTER_S },
    );
  }
  // The result of this pipeline's run, through JSON.
  return (await pipelines.retrieve({ kind: KIND, pipelineId, caller })) as IngestResult;
}
