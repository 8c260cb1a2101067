import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Log } from "@swath/base/log/log";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import { compareKeys } from "@swath/kernel/scenes/scene-key";
import type { FailedDataset } from "@swath/contract/features/imagery/contract";
import { registeredName } from "./dataset-keys.ts";
import type { Hit } from "./hit.ts";

/** Hits in search order, some at a time. */
export interface HitStream {
  readonly hits: AsyncGenerator<readonly Hit[], void, void>;
  /** Whose failure leaves the others standing; null for the table, without which there is no search. */
  readonly registered: RegisteredDataset | null;
}

export interface MergedHits {
  readonly hits: readonly Hit[];
  readonly failed: readonly FailedDataset[];
}

interface Head {
  readonly stream: HitStream;
  waiting: readonly Hit[];
  next: number;
  ended: boolean;
}

function failureOf(registered: RegisteredDataset, error: unknown): FailedDataset {
  const names = registeredName(registered);
  if (error instanceof ServiceError) return { ...names, errorCode: error.code, errorMessage: error.message };
  return { ...names, errorCode: "PROCESSING-ERROR", errorMessage: "the catalogue could not be asked" };
}

/**
 * The first hits of all streams together, in search order. Streams are read at the same time and no further than
 * needed; one that fails ends there, and what it brought before counts.
 *
 * @param select which of newly read hits count; called once for each round of reading
 */
export async function mergeHits(
  streams: readonly HitStream[],
  wanted: number,
  select: (hits: readonly Hit[]) => Promise<ReadonlySet<Hit>>,
  { log, signal }: { readonly log: Log | null; readonly signal: AbortSignal },
): Promise<MergedHits> {
  const heads = streams.map((stream): Head => ({ stream, waiting: [], next: 0, ended: false }));
  const failed: FailedDataset[] = [];
  const seen = new Set<string>();
  const merged: Hit[] = [];

  const read = async (head: Head): Promise<void> => {
    try {
      const step = await head.stream.hits.next();
      head.ended = step.done === true;
      head.waiting = step.done === true ? [] : step.value;
    } catch (error) {
      signal.throwIfAborted();
      if (head.stream.registered === null) throw error;
      const failure = failureOf(head.stream.registered, error);
      log?.warn({ err: error, provider: failure.provider, dataset: failure.dataset }, "a source could not be searched");
      failed.push(failure);
      head.ended = true;
      head.waiting = [];
    }
    head.next = 0;
  };

  try {
    while (merged.length < wanted) {
      const empty = heads.filter(({ waiting, next, ended }) => !ended && next >= waiting.length);
      if (empty.length > 0) {
        await Promise.all(empty.map(read));
        const selected = await select(empty.flatMap(({ waiting }) => waiting));
        for (const head of empty) head.waiting = head.waiting.filter((hit) => selected.has(hit));
        continue;
      }
      let first: Head | null = null;
      let hit: Hit | undefined;
      for (const head of heads) {
        const candidate = head.waiting[head.next];
        if (candidate === undefined || (hit !== undefined && compareKeys(candidate.key, hit.key) >= 0)) continue;
        first = head;
        hit = candidate;
      }
      if (first === null || hit === undefined) break;
      first.next += 1;
      if (seen.has(hit.key.sceneId)) continue;
      seen.add(hit.key.sceneId);
      merged.push(hit);
    }
  } finally {
    await Promise.allSettled(streams.map(({ hits }) => hits.return()));
  }
  return { hits: merged, failed };
}
