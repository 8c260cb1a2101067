import type { Kysely, Transaction } from "kysely";
import { sleep } from "@swath/base/concurrency/sleep";
import { isRetryable } from "./errors.ts";
import type { Database } from "./schema.ts";

export interface TransactionOptions {
  readonly isolation?: "read committed" | "repeatable read" | "serializable";
}

const ATTEMPTS = 4;

/**
 * Runs `work` in one transaction, and again, at most three times more, when the server gave it up for a
 * deadlock or a serialization failure. `work` must have no effects but those of its statements.
 */
export async function inTransaction<Result>(
  db: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db
        .transaction()
        .setIsolationLevel(options.isolation ?? "read committed")
        .execute(work);
    } catch (error) {
      if (!isRetryable(error) || attempt === ATTEMPTS) throw error;
      // Rivals that failed together must not meet again: a growing, scattered pause.
      await sleep(10 * attempt + Math.random() * 30 * attempt);
    }
  }
}
