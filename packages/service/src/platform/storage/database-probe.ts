import { within } from "@swath/base/concurrency/within";
import { sql } from "kysely";
import type { Db } from "../context.ts";

/** A probe is that old at most, however many ask. */
const PROBE_EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 2_000;

/** Whether the database takes writes, learned by a small write at most once a second. */
export class DatabaseProbe {
  readonly #db: Db;
  #latest: { readonly atMs: number; readonly takesWrites: Promise<boolean> } | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  takesWrites(): Promise<boolean> {
    const nowMs = performance.now();
    if (this.#latest === null || nowMs - this.#latest.atMs >= PROBE_EVERY_MS) {
      this.#latest = { atMs: nowMs, takesWrites: probe(this.#db) };
    }
    return this.#latest.takesWrites;
  }
}

async function probe(db: Db): Promise<boolean> {
  const write = sql`
    insert into service_probe (id, probed_at) values (1, now())
    on conflict (id) do update set probed_at = excluded.probed_at`.execute(db);
  try {
    return await within(write, ANSWER_WITHIN_MS);
  } catch {
    return false;
  }
}
