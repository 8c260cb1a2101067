import { createLog } from "@swath/base/log/log";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";

/** A process that holds an embedded database until it is killed or told to stop; says what it holds. */
const dataFolder = process.argv[2];
if (dataFolder === undefined) throw new Error("expected a data folder");
try {
  const server = await startEmbeddedPostgres({ dataFolder, log: createLog("silent"), durable: false });
  process.send?.({ url: server.url, pid: server.pid, adopted: server.adopted });
  process.once("message", () => {
    void server[Symbol.asyncDispose]().then(() => process.disconnect?.());
  });
} catch (error) {
  process.send?.({ refused: error instanceof Error ? error.message : String(error) });
  process.disconnect?.();
}
