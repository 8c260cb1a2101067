import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { decodeFootprintRings } from "@swath/kernel/geometry/footprint-codec";
import { unflatten } from "@swath/kernel/geometry/flat-ring";
import type { FlatRing } from "@swath/kernel/geometry/flat-ring";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { overlapsEnough, prepareRings } from "@swath/kernel/geometry/intersection-ratio";
import type { Db } from "../../platform/context.ts";
import type { Hit, SearchFrame } from "./hit.ts";
import type { PixelCondition } from "./pixel-condition.ts";
import { findCandidates, type CandidateRow, type Keyset } from "./store.ts";

const DAY_MS = 86_400_000;
/** A shorter interval is one window: cutting it would only repeat the descent of the index. */
const WHOLE_SPAN_DAYS = 60;
const FIRST_WINDOW_DAYS = 30;
const FIRST_SPARSE_WINDOW_DAYS = 3_000;
/** Growth of the window: its least, and its most where candidates are many and where they are few. */
const MIN_GROWTH = 3;
const DENSE_GROWTH = 12;
const SPARSE_GROWTH = 100;
/** Candidates that a grown window may hold: some milliseconds of the index. */
const WINDOW_CANDIDATES = 2_000;
/** Before the first satellite picture there is nothing to find. */
const FIRST_PICTURE_MS = Date.UTC(1957, 0, 1);
const MAX_BATCH = 4000;
/** A batch that is not enough costs its window again, so the next one of the same window is larger. */
const BATCH_GROWTH = 4;

function toMultiPolygon(polygons: readonly (readonly FlatRing[])[]): MultiPolygon {
  return { type: "MultiPolygon", coordinates: polygons.map((rings) => rings.map(unflatten)) };
}

/** What a window has brought: rows of the index, and hits among them. */
interface Brought {
  readonly candidates: number;
  readonly hits: number;
}

/** Length of the next, older window: by the hits of the last one, as far as its candidates allow. */
function nextSpanMs(spanMs: number, { candidates, hits }: Brought, wanted: number): number {
  const most = Math.min(SPARSE_GROWTH, Math.max(DENSE_GROWTH, WINDOW_CANDIDATES / Math.max(1, candidates)));
  return spanMs * Math.min(most, Math.max(MIN_GROWTH, (1.5 * wanted) / Math.max(1, hits)));
}

/** Which rows a stream reads. */
export interface TableScope {
  readonly datasetKeys: readonly number[];
  readonly pixels: PixelCondition;
  /** Whether scenes that are cut from bigger ones count. */
  readonly withClipped: boolean;
  /** Audiences whose scenes count besides public ones; null: every scene. */
  readonly audiences: readonly string[] | null;
  /** Whether few scenes are expected: the first window is long then. */
  readonly isSparse: boolean;
}

/**
 * Scenes of the table that overlap the extent enough, in search order, at most one page and one more: candidates by
 * box and time from the index, newest window first, then the exact test. Exact geometry is looked at for few scenes
 * beyond the page.
 *
 * @param nowMs where an interval without end starts its newest window
 */
export async function* tableHits(
  db: Db,
  { plan, extent, boxes, minAreaKm2, after }: SearchFrame,
  scope: TableScope,
  nowMs: number,
  signal: AbortSignal,
): AsyncGenerator<readonly Hit[], void, void> {
  signal.throwIfAborted();
  if (scope.datasetKeys.length === 0) return;
  const seen = new Set<number>();
  const wanted = plan.limit + 1;
  let found = 0;

  const share = loopShare();
  const matching = async (rows: readonly CandidateRow[]): Promise<readonly Hit[]> => {
    const hits: Hit[] = [];
    for (const row of rows) {
      if (found === wanted) break;
      if (seen.has(row.scene_key)) continue;
      seen.add(row.scene_key);
      if (isUsedUp(share)) await giveWay(share, signal);
      const rings = decodeFootprintRings(row.footprint);
      if (!overlapsEnough(extent, prepareRings(rings), plan.threshold)) continue;
      found += 1;
      hits.push({
        key: { acquiredAtMs: row.acquired_at.getTime(), sceneId: row.scene_id },
        footprint: toMultiPolygon(rings),
        ingested: row.ingested,
        clipped: row.clipped,
        origin: { kind: "table", sceneKey: row.scene_key },
      });
    }
    return hits;
  };

  const oldest = plan.from;
  let keyset: Keyset | null =
    after === null ? null : { acquiredAt: new Date(after.acquiredAtMs), sceneId: after.sceneId };
  let newest = after === null ? plan.to : after.acquiredAtMs;
  const anchor = Math.min(newest ?? nowMs, nowMs);
  const whole = oldest !== null && anchor - oldest <= WHOLE_SPAN_DAYS * DAY_MS;
  let spanMs = (scope.isSparse ? FIRST_SPARSE_WINDOW_DAYS : FIRST_WINDOW_DAYS) * DAY_MS;
  let start: number | null = whole ? oldest : anchor - spanMs;
  for (;;) {
    if (start !== null && start <= (oldest ?? FIRST_PICTURE_MS)) start = oldest;
    const last = start === oldest;
    const before = found;
    let candidates = 0;
    for (let batch = 4 * (wanted - found) + 100; ; batch *= BATCH_GROWTH) {
      signal.throwIfAborted();
      const limit = Math.min(MAX_BATCH, batch);
      const rows = await findCandidates(db, {
        ...scope,
        boxes,
        from: start === null ? null : new Date(start),
        to: newest === null ? null : new Date(newest),
        after: keyset,
        minAreaKm2,
        limit,
      });
      const hits = await matching(rows);
      candidates += rows.length;
      if (hits.length > 0) yield hits;
      const final = rows.at(-1);
      if (found === wanted || final === undefined || rows.length < limit) break;
      keyset = { acquiredAt: final.acquired_at, sceneId: final.scene_id };
    }
    if (found === wanted || last || start === null) return;
    // Moments have whole seconds, so the windows share no scene.
    newest = start - 1;
    spanMs = nextSpanMs(spanMs, { candidates, hits: found - before }, wanted - found);
    start -= spanMs;
  }
}
