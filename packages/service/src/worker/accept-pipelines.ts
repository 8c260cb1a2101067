import { inTransaction } from "../platform/postgres/transaction.ts";
import type { Db, Trx } from "../platform/context.ts";
import { newPipelineId } from "../platform/queue/pipeline-id.ts";
import type { EnqueueInput, PipelineService } from "../platform/queue/pipeline-service.ts";
import { firstTrySeconds } from "../platform/queue/shown-status.ts";
import type { AtOnceRuns } from "./run-at-once.ts";

/** Members that admission adds to the answer. */
type Added = Readonly<Record<string, string>> | undefined;

export interface Accepted {
  readonly pipelineId: string;
  readonly nextTry: number;
  readonly added: Added;
}

export interface AcceptDeps {
  readonly db: Db;
  readonly queue: Pick<PipelineService, "enqueue">;
  readonly atOnce: Pick<AtOnceRuns, "tryRun">;
}

/**
 * Accepts a pipeline. A quick one without admission runs here when it finds a place. Others go into the queue, in the
 * transaction of their admission.
 */
export async function acceptPipeline(
  { atOnce, db, queue }: AcceptDeps,
  input: EnqueueInput,
  admit: ((trx: Trx, id: string) => Promise<Added>) | null,
): Promise<Accepted> {
  const id = newPipelineId();
  if (admit !== null) {
    return await inTransaction(db, async (trx) => {
      const added = await admit(trx, id);
      return { ...(await queue.enqueue(trx, { ...input, id })), added };
    });
  }
  if (input.lane === "quick") {
    if (await atOnce.tryRun({ ...input, id })) {
      return { pipelineId: id, nextTry: firstTrySeconds(input.lane), added: undefined };
    }
  }
  return { ...(await queue.enqueue(db, input)), added: undefined };
}
