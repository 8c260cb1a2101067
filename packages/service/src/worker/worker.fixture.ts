import { sql } from "kysely";
import { createLog } from "@swath/base/log/log";
import { openPool } from "../platform/postgres/pool.ts";
import { openPipelineSignals } from "../platform/queue/pipeline-signals.ts";
import { startWorker } from "./worker.ts";

/**
 * A worker process for tests: its handler debits an account in `commit`. A request may ask it to say that it runs and
 * then to stay in the run until it is killed.
 */
const [url = "", leaseMs = "", name = "", runningInAll = ""] = process.argv.slice(2);
const log = createLog("silent");
const pool = openPool({ url, maxConnections: 4, statementTimeoutMs: 10_000, log });
const signals = openPipelineSignals(url, log);
startWorker({
  db: pool.db,
  signals,
  log,
  lane: "heavy",
  concurrency: 4,
  ...(runningInAll === "" ? {} : { runningInAll: Number(runningInAll) }),
  leaseMs: Number(leaseMs),
  maxAttempts: 100,
  handlers: new Map([
    [
      "/test/debit",
      {
        run: async (request: { readonly hangFor?: string }, job) => {
          process.send?.({ runs: job.pipelineId, attempt: job.attempt });
          if (request.hangFor === name || request.hangFor === "all") await new Promise(() => {});
          return {
            result: { attempt: job.attempt, name },
            commit: async (trx) => {
              await sql`insert into debits (pipeline_id, attempt) values (${job.pipelineId}, ${job.attempt})`.execute(
                trx,
              );
              await sql`update accounts set balance = balance - 1`.execute(trx);
            },
          };
        },
      },
    ],
  ]),
});
process.send?.({ ready: true });
