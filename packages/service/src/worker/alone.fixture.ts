import { silentLog } from "@swath/base/log/log";
import type { PipelineHandlers } from "../platform/context.ts";
import { openPool } from "../platform/postgres/pool.ts";
import { findClaimed } from "../platform/queue/claim-store.ts";
import { runClaimed } from "./run-claimed.ts";

/** A process for one pipeline: `/test/poison` ends the process, `/test/innocent` tells which one it is. */
const [url = "", json = "null"] = process.argv.slice(2);
const run = JSON.parse(json);
const handlers: PipelineHandlers = new Map([
  [
    "/test/poison",
    {
      run: () => {
        process.kill(process.pid, "SIGKILL");
        return new Promise(() => {});
      },
    },
  ],
  ["/test/innocent", { run: async () => ({ result: { pid: process.pid } }) }],
]);
process.once("disconnect", () => process.exit(1));
{
  await using pool = openPool({ url, maxConnections: 2, statementTimeoutMs: 10_000, log: silentLog });
  const pipeline = await findClaimed(pool.db, run);
  if (pipeline === null) throw new Error("the run has lost its pipeline");
  await runClaimed(pool.db, pipeline, run.worker, handlers, silentLog);
}
process.exit(0);
