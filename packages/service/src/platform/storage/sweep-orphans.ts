import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import { sql } from "kysely";
import type { Db } from "../context.ts";

export interface OrphanSweep {
  readonly db: Db;
  readonly blobs: Pick<BlobStore, "delete" | "list">;
  readonly clock: Clock;
  /** Least age of an orphan: more than the longest run and its lease. */
  readonly minAgeMs: number;
}

/** Blobs of one purpose. */
export interface BlobUse {
  /** Beginning of their keys. */
  readonly prefix: string;
  /** The pipeline that writes a blob, by its key; null when the key names none. */
  readonly pipelineOf: (key: string) => string | null;
  /** The keys that a row names. */
  readonly findNamed: (db: Db, keys: readonly string[]) => Promise<ReadonlySet<string>>;
}

const BATCH = 500;
/** The next sweep finds more. */
const MOST_ORPHANS = 20_000;

/**
 * Removes blobs that no row names, such as remains of killed processes; how many. Blobs of pipelines that wait or run
 * stay, and so do young ones. Before its removal each is looked up for a second time.
 */
export async function sweepOrphans(sweep: OrphanSweep, use: BlobUse, signal: AbortSignal): Promise<number> {
  const beforeMs = sweep.clock.now().getTime() - sweep.minAgeMs;
  const suspects: string[] = [];
  let batch: string[] = [];
  for await (const { key, modifiedAtMs } of sweep.blobs.list(use.prefix)) {
    if (signal.aborted || suspects.length >= MOST_ORPHANS) break;
    if (modifiedAtMs < beforeMs) batch.push(key);
    if (batch.length < BATCH) continue;
    suspects.push(...(await unused(sweep.db, use, batch)));
    batch = [];
  }
  suspects.push(...(await unused(sweep.db, use, batch)));
  let removed = 0;
  for (let start = 0; start < suspects.length && !signal.aborted; start += BATCH) {
    for (const key of await unused(sweep.db, use, suspects.slice(start, start + BATCH))) {
      await sweep.blobs.delete(key);
      removed += 1;
    }
  }
  return removed;
}

async function unused(db: Db, use: BlobUse, keys: readonly string[]): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const pipelines = keys.map((key) => use.pipelineOf(key)).filter((id) => id !== null);
  const active = await findActive(db, [...new Set(pipelines)]);
  const named = await use.findNamed(db, keys);
  return keys.filter((key) => !named.has(key) && !active.has(use.pipelineOf(key) ?? ""));
}

/** The pipelines that wait or run. */
export async function findActive(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from pipelines where id = any(${[...ids]}::text[]) and status in ('NEW', 'PROCESSING')`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
