import { sleep } from "@swath/base/concurrency/sleep";
import { isUnavailable } from "../platform/postgres/errors.ts";
import type { RunRecord } from "./run-record.ts";

const PAUSE_MS = 250;

/**
 * Repeats a write while the database cannot be reached, until the signal aborts: work that has ended is not done again.
 * A write whose answer was lost may have been carried out; its repetition then answers false.
 */
export function persistentRecord(record: RunRecord, signal: AbortSignal): RunRecord {
  const repeat = async (write: () => Promise<boolean>): Promise<boolean> => {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (signal.aborted || !isUnavailable(error)) throw error;
        await sleep(PAUSE_MS, signal);
      }
    }
  };
  return {
    note: (column, json) => record.note(column, json),
    resolve: (resultJson, commit) => repeat(() => record.resolve(resultJson, commit)),
    fail: (code, message, commit) => repeat(() => record.fail(code, message, commit)),
    release: (pauseMs, failed) => repeat(() => record.release(pauseMs, failed)),
  };
}
