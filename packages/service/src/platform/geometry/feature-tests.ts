import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { areaParts } from "@swath/kernel/geometry/extent";
import type { Geometry } from "@swath/kernel/geometry/geojson";
import { isQuickOverlay } from "@swath/kernel/geometry/quick-overlay";
import { spatialNodes, type QueryNode } from "@swath/kernel/query/ast";
import { queryPredicate } from "@swath/kernel/query/predicate";
import { positionCount } from "@swath/kernel/query/query-reader";
import { gridGeometry } from "@swath/kernel/query/spatial/grid-geometry";
import type { TestedFeature } from "./geometry-task.ts";
import {
  endThreads,
  geometryThreads,
  runInThread,
  TooEntangledError,
  type GeometryThreads,
} from "./geometry-threads.ts";

/** Exact tests of features against a query. Those that take more than some milliseconds run in a thread. */
export interface FeatureTests extends AsyncDisposable {
  /** A tester of one query, whose work in threads is bounded. */
  of(node: QueryNode): FeatureTester;
}

/**
 * The features that match, at most so many, in their order.
 *
 * @throws {ServiceError} VALIDATION-ERROR when the tests of a query take longer than 5 s in all or 2 s for one part;
 *   SERVICE-UNAVAILABLE when too many tests wait
 */
type FeatureTester = <Row extends TestedFeature>(
  rows: readonly Row[],
  most: number,
  signal: AbortSignal,
) => Promise<readonly Row[]>;

const MAX_QUERY_MS = 5_000;
/** Estimates up to which features are tested on the thread that answers: of one feature, and of a batch. */
const MAX_QUICK_ROW_MS = 2;
const MAX_QUICK_BATCH_MS = 40;
/** The estimate of a part for a thread: other queries take their turn between parts. */
const PART_MS = 100;
/** Reading the text of a geometry. */
const CHARACTERS_PER_MS = 40_000;
const CHARACTERS_PER_POSITION = 20;
/** Positions of a feature times positions of the query, for a distance and for other relations. */
const DISTANCES_PER_MS = 400;
const MEETINGS_PER_MS = 30_000;

/** @param maxQueryMs time in threads of one query */
export function createFeatureTests(maxQueryMs: number = MAX_QUERY_MS): FeatureTests {
  const pool = geometryThreads();
  return { of: (node) => testerOf(pool, node, maxQueryMs), [Symbol.asyncDispose]: () => endThreads(pool) };
}

/** What a test of a feature costs, by the geometries of the query. */
interface Costs {
  readonly distancePositions: number;
  readonly otherPositions: number;
  /** Whether the predicate itself is made in a millisecond. */
  readonly isQuick: boolean;
}

function costsOf(node: QueryNode): Costs {
  let [distancePositions, otherPositions] = [0, 0];
  const geometries: Geometry[] = [];
  for (const one of spatialNodes(node)) {
    geometries.push(one.geometry);
    if (one.op === "dwithin") distancePositions += positionCount(one.geometry);
    else otherPositions += positionCount(one.geometry);
  }
  const isQuick = isQuickOverlay(geometries.flatMap((geometry) => areaParts(geometry).flat()));
  return { distancePositions, otherPositions, isQuick };
}

function costMs({ distancePositions, otherPositions }: Costs, { geometry }: TestedFeature): number {
  const characters = geometry?.length ?? 0;
  const positions = 1 + characters / CHARACTERS_PER_POSITION;
  const pairs = distancePositions / DISTANCES_PER_MS + otherPositions / MEETINGS_PER_MS;
  return (100 + characters) / CHARACTERS_PER_MS + positions * pairs;
}

function testerOf(pool: GeometryThreads, node: QueryNode, maxQueryMs: number): FeatureTester {
  const costs = costsOf(node);
  let spentMs = 0;
  return async (rows, most, signal) => {
    const estimates = rows.map((row) => costMs(costs, row));
    const totalMs = estimates.reduce((sum, ms) => sum + ms, 0);
    const isQuick = costs.isQuick && totalMs <= MAX_QUICK_BATCH_MS && estimates.every((ms) => ms <= MAX_QUICK_ROW_MS);
    if (isQuick) return await testedHere(node, rows, most, signal);
    const found: (typeof rows)[number][] = [];
    for (let start = 0; start < rows.length && found.length < most;) {
      const end = endOfPart(estimates, start);
      const part = rows.slice(start, end);
      const { matches, ms } = await testedInThread(pool, node, part, signal);
      spentMs += ms;
      if (spentMs > maxQueryMs) throw tooLong();
      found.push(...part.filter((_, index) => matches[index] === 1));
      start = end;
    }
    return found.slice(0, most);
  };
}

function endOfPart(estimates: readonly number[], start: number): number {
  let end = start;
  for (let sumMs = 0; end < estimates.length && (end === start || sumMs < PART_MS); end += 1) {
    sumMs += estimates[end] ?? 0;
  }
  return end;
}

async function testedInThread(
  pool: GeometryThreads,
  node: QueryNode,
  rows: readonly TestedFeature[],
  signal: AbortSignal,
): Promise<{ readonly matches: Uint8Array; readonly ms: number }> {
  const features = rows.map(({ id, properties, geometry }) => ({ id, properties, geometry }));
  try {
    return await runInThread(pool, "test", { node, features }, signal);
  } catch (cause) {
    throw cause instanceof TooEntangledError ? tooLong(cause) : cause;
  }
}

function tooLong(cause?: unknown): ServiceError {
  const message = "takes too long on these features: ask for fewer of them, or of fewer positions";
  const details = [{ path: "/query", message }];
  return new ServiceError("VALIDATION-ERROR", `/query ${message}`, { cause, details });
}

async function testedHere<Row extends TestedFeature>(
  node: QueryNode,
  rows: readonly Row[],
  most: number,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const test = queryPredicate(node);
  const share = loopShare();
  const found: Row[] = [];
  for (const row of rows) {
    if (found.length >= most) break;
    if (isUsedUp(share)) await giveWay(share, signal);
    const geometry = row.geometry === null ? null : gridGeometry(JSON.parse(row.geometry));
    if (test({ id: row.id, properties: row.properties, geometry })) found.push(row);
  }
  return found;
}
