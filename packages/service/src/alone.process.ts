import { once } from "node:events";
import { runInBackground } from "@swath/base/threads/work-in-background";
import { createLog } from "@swath/base/log/log";
import { openPlatform } from "./compose-platform.ts";
import { createFeatures } from "./feature-kit/create-features.ts";
import { features } from "./features.ts";
import { readConfig } from "./platform/config/config.ts";
import { findClaimed } from "./platform/queue/claim-store.ts";
import type { AloneMessage } from "./start-alone.ts";
import { isUnavailable } from "./platform/postgres/errors.ts";
import { operationHandlers, operationLanes } from "./worker/operation-handlers.ts";
import { NO_DATABASE_EXIT } from "./worker/run-alone.ts";
import { runClaimed } from "./worker/run-claimed.ts";

/**
 * Runs one pipeline that another process has claimed, and exits with 0 when its end is stored. The other process keeps
 * the lease; this one ends when the other is gone.
 */
async function runOne({ run, settings }: AloneMessage): Promise<void> {
  runInBackground();
  const config = readConfig(settings);
  const log = createLog(config.logLevel);
  await using stack = new AsyncDisposableStack();
  const stopping = new AbortController().signal;
  const { platform, schedule } = await openPlatform({ config, log, stack, stopping });
  const { all, contract, handlers } = await createFeatures(Object.values(features), platform, stack);
  stack.use(schedule);
  const pipeline = await findClaimed(platform.db, run);
  if (pipeline === null) return;
  const pools = all.flatMap(({ pipelines }) => pipelines.pools ?? []);
  const found = new Map([
    ...operationHandlers(contract, handlers, ...operationLanes),
    ...pools.flatMap((pool) => [...pool.handlers]),
  ]);
  await runClaimed(platform.db, pipeline, run.worker, found, log);
}

process.once("disconnect", () => process.exit(1));
const [message] = await once(process, "message");
try {
  await runOne(message);
} catch (error) {
  const isOutage = isUnavailable(error) || (error instanceof Error && isUnavailable(error.cause));
  if (isOutage) process.exit(NO_DATABASE_EXIT);
  throw error;
}
process.exit(0);
