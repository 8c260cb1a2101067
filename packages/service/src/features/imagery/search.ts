import { decodeFootprintRings } from "@swath/kernel/geometry/footprint-codec";
import { unflatten } from "@swath/kernel/geometry/flat-ring";
import type { FlatRing } from "@swath/kernel/geometry/flat-ring";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import {
  overlapsEnough,
  prepareArea,
  prepareRings,
  type OverlapThreshold,
} from "@swath/kernel/geometry/intersection-ratio";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { Db } from "../../platform/context.ts";
import type { SearchPlan } from "./search-plan.ts";
import { findCandidates, type CandidateRow, type Keyset } from "./store.ts";

/** A scene that overlaps the extent enough. */
export interface Hit {
  readonly sceneKey: number;
  readonly ingested: boolean;
  readonly footprint: MultiPolygon;
}

export interface Page {
  readonly hits: readonly Hit[];
  /** Key of the last scene of the page when there are more. */
  readonly cursor: number | null;
}

const DAY_MS = 86_400_000;
/** A shorter interval is one window: cutting it would only repeat the descent of the index. */
const WHOLE_SPAN_DAYS = 60;
const FIRST_WINDOW_DAYS = 30;
/** Growth of the window after an empty one, and its bounds when the hits so far say how far the rest may be. */
const EMPTY_GROWTH = 12;
const MIN_GROWTH = 3;
const MAX_GROWTH = 12;
/** Before the first satellite picture there is nothing to find. */
const FIRST_PICTURE_MS = Date.UTC(1957, 0, 1);
const MAX_BATCH = 4000;
/** A batch that is not enough costs its window again, so the next one of the same window is larger. */
const BATCH_GROWTH = 4;
/** Area given away to rounding when scenes too small for the threshold are dropped in the database. */
const AREA_SLACK = 1e-6;

/** Positions looked at before the event loop gets a turn: some ten milliseconds of geometry. */
const POSITIONS_PER_TURN = 20_000;
const BYTES_PER_POSITION = 8;

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** The box of an extent and its copies a turn away, as far as the unwrapped boxes of scenes reach. */
function searchBoxes(extent: MultiPolygon): readonly Bounds[] {
  const [west, south, east, north] = mbr(extent);
  return [0, -360, 360]
    .map((turn): Bounds => [west + turn, south, east + turn, north])
    .filter((box) => box[2] > -180 && box[0] < 540);
}

/** Scenes smaller than this cannot reach the threshold. */
function leastAreaKm2(extentKm2: number, { of, ratio }: OverlapThreshold): number {
  return of === "extent" ? extentKm2 * ratio * (1 - AREA_SLACK) : 0;
}

function toMultiPolygon(polygons: readonly (readonly FlatRing[])[]): MultiPolygon {
  return { type: "MultiPolygon", coordinates: polygons.map((rings) => rings.map(unflatten)) };
}

/** Start of the next, older window given what the last one brought. */
function nextSpanMs(spanMs: number, found: number, wanted: number): number {
  const growth = found === 0 ? EMPTY_GROWTH : Math.min(MAX_GROWTH, Math.max(MIN_GROWTH, (1.5 * wanted) / found));
  return spanMs * growth;
}

/**
 * One page of a search: candidates by box and time from the index, newest window first, then the exact test, until
 * the page is full. Exact geometry is looked at for few scenes beyond the page.
 *
 * @param nowMs where an interval without end starts its newest window
 */
export async function findPage(
  db: Db,
  plan: SearchPlan,
  datasetKeys: readonly number[],
  after: Keyset | null,
  nowMs: number,
  signal: AbortSignal,
): Promise<Page> {
  signal.throwIfAborted();
  if (datasetKeys.length === 0) return { hits: [], cursor: null };
  const extent = prepareArea(plan.extent);
  const boxes = searchBoxes(plan.extent);
  const minAreaKm2 = leastAreaKm2(extent.areaKm2, plan.threshold);
  const seen = new Set<number>();
  const hits: Hit[] = [];
  const wanted = plan.limit + 1;

  const extentPositions = plan.extent.coordinates.flat(2).length;
  let budget = POSITIONS_PER_TURN;
  const take = async (rows: readonly CandidateRow[]): Promise<void> => {
    for (const row of rows) {
      if (hits.length === wanted) return;
      if (seen.has(row.scene_key)) continue;
      seen.add(row.scene_key);
      budget -= extentPositions + row.footprint.byteLength / BYTES_PER_POSITION;
      if (budget < 0) {
        await nextTurn();
        signal.throwIfAborted();
        budget = POSITIONS_PER_TURN;
      }
      const rings = decodeFootprintRings(row.footprint);
      if (!overlapsEnough(extent, prepareRings(rings), plan.threshold)) continue;
      hits.push({ sceneKey: row.scene_key, ingested: row.ingested, footprint: toMultiPolygon(rings) });
    }
  };

  const oldest = plan.from;
  let keyset = after;
  let newest = after === null ? plan.to : after.acquiredAt.getTime();
  const anchor = Math.min(newest ?? nowMs, nowMs);
  const whole = oldest !== null && anchor - oldest <= WHOLE_SPAN_DAYS * DAY_MS;
  let spanMs = FIRST_WINDOW_DAYS * DAY_MS;
  let start: number | null = whole ? oldest : anchor - spanMs;
  for (;;) {
    if (start !== null && start <= (oldest ?? FIRST_PICTURE_MS)) start = oldest;
    const last = start === oldest;
    const before = hits.length;
    for (let batch = 4 * (wanted - hits.length) + 100; ; batch *= BATCH_GROWTH) {
      signal.throwIfAborted();
      const limit = Math.min(MAX_BATCH, batch);
      const rows = await findCandidates(db, {
        datasetKeys,
        boxes,
        from: start === null ? null : new Date(start),
        to: newest === null ? null : new Date(newest),
        after: keyset,
        minAreaKm2,
        onlyIngested: plan.onlyIngested,
        withClipped: true,
        limit,
      });
      await take(rows);
      const final = rows.at(-1);
      if (hits.length === wanted || final === undefined || rows.length < limit) break;
      keyset = { acquiredAt: final.acquired_at, sceneId: final.scene_id };
    }
    if (hits.length === wanted || last || start === null) break;
    // Moments have whole seconds, so the windows share no scene.
    newest = start - 1;
    spanMs = nextSpanMs(spanMs, hits.length - before, wanted - hits.length);
    start -= spanMs;
  }
  const page = hits.slice(0, plan.limit);
  return { hits: page, cursor: hits.length > plan.limit ? (page.at(-1)?.sceneKey ?? null) : null };
}
