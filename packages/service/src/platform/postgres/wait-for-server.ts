import { sql, type Kysely } from "kysely";
import { sleep } from "@swath/base/concurrency/sleep";
import type { Log } from "@swath/base/log/log";
import { isUnavailable } from "./errors.ts";
import type { Database } from "./schema.ts";

const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Waits until the server answers: services and their database are often started together. Anything but "not
 * there yet" (a wrong password, an unknown database) is thrown at once.
 */
export async function waitForServer(db: Kysely<Database>, log: Log, patienceMs: number = PATIENCE_MS): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      await sql`select 1`.execute(db);
      return;
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > until) {
        throw new Error("the database server of DATABASE_URL cannot be used", { cause: error });
      }
      log.warn({ err: error }, "the database server does not answer yet");
      await sleep(PAUSE_MS);
    }
  }
}
