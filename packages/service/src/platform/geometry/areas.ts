import {
  geometriesNear,
  missingKm2,
  planAllocation,
  type AllocationPlan,
  type AllocationRequest,
} from "@swath/kernel/credits/allocation";
import { soldArea, type SoldArea } from "@swath/kernel/credits/sold-area";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { convexIntersection, intersection } from "@swath/kernel/geometry/clip";
import { areaParts } from "@swath/kernel/geometry/extent";
import type { GeoJson, Geometry, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { isPolar, longestSideM } from "@swath/kernel/geometry/mbr";
import { packPolygons, unpackPolygons, type PackedPolygons } from "@swath/kernel/geometry/packed-polygons";
import { positionsOf } from "@swath/kernel/geometry/positions-of";
import { isQuickOverlay, isSoonUntangled, MAX_SWEPT_POSITIONS } from "@swath/kernel/geometry/quick-overlay";
import { isWithinWindow } from "@swath/kernel/geometry/within-window";
import { storeTileGrid, storeTilesArea, type StoreTile } from "@swath/kernel/tiles/store-tile";
import { giveWay, giveWayToLight } from "@swath/base/concurrency/loop-share";
import { currentLoopShare } from "@swath/base/concurrency/current-share";
import { warn } from "../request-warnings.ts";
import { areaOf, readRequestedArea, type AreaRules } from "../requested-area.ts";
import {
  endThreads,
  geometryThreads,
  runInThread,
  TooEntangledError,
  type GeometryThreads,
  type GeometryThreadsOptions,
} from "./geometry-threads.ts";
import { packAllocation, unpackPlan } from "./packed-allocation.ts";
import { warnOfCrossing } from "./warn-of-crossing.ts";

/** Areas of requests. Work that can take more than some milliseconds runs in a thread, two seconds at most. */
export interface Areas extends AsyncDisposable {
  /**
   * The area of a member of a request, in normal form. A polygon that crosses itself is repaired, with a warning.
   *
   * @throws {ServiceError} VALIDATION-ERROR when it is not valid, has no area, is too detailed or too entangled;
   *   SERVICE-UNAVAILABLE when too many areas wait
   */
  read(geojson: GeoJson, rules: AreaRules, signal?: AbortSignal): Promise<MultiPolygon>;
  /**
   * The area both have in common; no coordinates when there is none.
   *
   * @throws {ServiceError} VALIDATION-ERROR when they are too entangled; SERVICE-UNAVAILABLE as `read`
   */
  intersection(a: MultiPolygon, b: MultiPolygon, signal?: AbortSignal): Promise<MultiPolygon>;
  /** `longestSideM` of the kernel. @throws {ServiceError} as `intersection` */
  longestSideM(area: MultiPolygon, signal?: AbortSignal): Promise<number>;
  /**
   * The ground of store tiles, and the part of an area within it.
   *
   * @throws {ServiceError} as `intersection`
   * @throws {RangeError} as `storeTilesArea` of the kernel
   */
  inStoreTiles(area: MultiPolygon, tiles: TilesOfGrid, signal?: AbortSignal): Promise<InStoreTiles>;
  /**
   * Refuses a geometry whose outlines meet so often that no overlay ends in time, and warns of one that crosses itself.
   *
   * @throws {ServiceError} VALIDATION-ERROR with the path; SERVICE-UNAVAILABLE as `read`
   */
  requireUntangled(geometry: Geometry, path: string, signal?: AbortSignal): Promise<void>;
  /**
   * `soldArea` of the kernel.
   *
   * @param tilesCrsEpsg the CRS of the scene; null when it is not sold by store tiles
   * @throws {ServiceError} as `intersection`
   * @throws {RangeError} as `soldArea`
   */
  sold(
    area: MultiPolygon,
    footprint: MultiPolygon,
    tilesCrsEpsg: number | null,
    signal?: AbortSignal,
  ): Promise<SoldArea>;
  /** `planAllocation` of the kernel. @throws {ServiceError} as `intersection` */
  planAllocation(request: AllocationRequest, signal?: AbortSignal): Promise<AllocationPlan>;
  /** `missingKm2` of the kernel. @throws {ServiceError} as `intersection` */
  missingKm2(
    area: MultiPolygon,
    covered: MultiPolygon | null,
    freeAreas: readonly MultiPolygon[],
    signal?: AbortSignal,
  ): Promise<number>;
}

/** Store tiles of the grid of a scene. */
interface TilesOfGrid {
  readonly tiles: readonly StoreTile[];
  readonly crsEpsg: number;
  /** Of the side of a tile; 1 unless given. */
  readonly divisor?: number;
}

interface InStoreTiles {
  readonly ground: MultiPolygon;
  readonly part: MultiPolygon;
}

/** Ten thousand scattered tiles take a second. */
const MOST_QUICK_TILES = 4;
/** A body of 128 KiB holds so many positions with all their digits. */
const LARGE_POSITIONS = 3_000;
const CROSSING = "crosses itself, which RFC 7946 forbids: the area of its loops is used";
const TOO_ENTANGLED = "is too entangled; simplify it or unite its parts";

/** Starts no thread before one is needed. */
export function createAreas(options: Partial<GeometryThreadsOptions> = {}): Areas {
  const pool = geometryThreads(options);
  return {
    read: (geojson, rules, signal) => read(pool, geojson, rules, signal),
    intersection: (a, b, signal) => intersect(pool, a, b, signal),
    longestSideM: (area, signal) => longestSide(pool, area, signal),
    inStoreTiles: (area, tiles, signal) => inStoreTiles(pool, area, tiles, signal),
    requireUntangled: (geometry, path, signal) => requireUntangled(pool, geometry, path, signal),
    sold: (area, footprint, tilesCrsEpsg, signal) => sold(pool, { area, footprint, tilesCrsEpsg }, signal),
    planAllocation: (request, signal) => plan(pool, request, signal),
    missingKm2: (area, covered, freeAreas, signal) => missing(pool, { area, covered, freeAreas }, signal),
    [Symbol.asyncDispose]: () => endThreads(pool),
  };
}

async function read(
  pool: GeometryThreads,
  geojson: GeoJson,
  rules: AreaRules,
  signal?: AbortSignal,
): Promise<MultiPolygon> {
  const reading = readRequestedArea(geojson, rules);
  const { path } = rules;
  if (reading.kind !== "slow") {
    if (reading.kind === "area" && reading.isRepaired) warn({ path, message: CROSSING });
    return areaOf(reading, path);
  }
  await giveWayFor(positionsOf(reading.polygons.flat()), signal);
  const input = { polygons: packPolygons(reading.polygons), path };
  const result = await inTime(runInThread(pool, "untangle", input, signal), path);
  if (result.kind !== "area") return areaOf(result, path);
  if (result.isRepaired) warn({ path, message: CROSSING });
  return await unpacked(result.polygons);
}

async function intersect(
  pool: GeometryThreads,
  a: MultiPolygon,
  b: MultiPolygon,
  signal?: AbortSignal,
): Promise<MultiPolygon> {
  if (positionsOf([...a.coordinates, ...b.coordinates].flat()) <= MAX_SWEPT_POSITIONS) {
    const direct = convexIntersection(a, b);
    if (direct !== null) return direct;
    if (isQuick(a, b)) return intersection(a, b);
  }
  const input = { a: packPolygons(a.coordinates), b: packPolygons(b.coordinates) };
  return await unpacked(await inTime(runInThread(pool, "intersection", input, signal)));
}

/** Near a pole, each edge is projected at eight places: 100 ms for 9,000 edges. */
async function longestSide(pool: GeometryThreads, area: MultiPolygon, signal?: AbortSignal): Promise<number> {
  if (!isPolar(area) || positionsOf(area.coordinates.flat()) <= MAX_SWEPT_POSITIONS) return longestSideM(area);
  return await inTime(runInThread(pool, "longestSide", packPolygons(area.coordinates), signal));
}

async function inStoreTiles(
  pool: GeometryThreads,
  area: MultiPolygon,
  { tiles, crsEpsg, divisor = 1 }: TilesOfGrid,
  signal?: AbortSignal,
): Promise<InStoreTiles> {
  if (tiles.length <= MOST_QUICK_TILES) {
    const ground = storeTilesArea(tiles, storeTileGrid(crsEpsg, divisor));
    return { ground, part: await intersect(pool, ground, area, signal) };
  }
  const input = { area: packPolygons(area.coordinates), tiles, crsEpsg, divisor };
  const { ground, part } = await inTime(runInThread(pool, "storeTiles", input, signal));
  return { ground: await unpacked(ground), part: await unpacked(part) };
}

async function requireUntangled(
  pool: GeometryThreads,
  geometry: Geometry,
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  const polygons = areaParts(geometry);
  warnOfCrossing(polygons, path);
  if (isSoonUntangled(polygons.flat())) return;
  const input = { polygons: packPolygons(polygons), path };
  const fault = await inTime(runInThread(pool, "entanglement", input, signal), path);
  if (fault !== null) throw new ServiceError("VALIDATION-ERROR", `${path} ${fault.message}`, { details: [fault] });
}

interface SoldQuestion {
  readonly area: MultiPolygon;
  readonly footprint: MultiPolygon;
  readonly tilesCrsEpsg: number | null;
}

async function sold(
  pool: GeometryThreads,
  { area, footprint, tilesCrsEpsg }: SoldQuestion,
  signal?: AbortSignal,
): Promise<SoldArea> {
  if (tilesCrsEpsg === null) {
    const inside = isWithinWindow(area, footprint) ? area : await intersect(pool, area, footprint, signal);
    return { area: inside, tiles: null };
  }
  if (isQuick(area, footprint)) return soldArea(area, footprint, storeTileGrid(tilesCrsEpsg));
  const input = {
    area: packPolygons(area.coordinates),
    footprint: packPolygons(footprint.coordinates),
    tilesCrsEpsg,
  };
  const { polygons, tiles } = await inTime(runInThread(pool, "sold", input, signal));
  return { area: await unpacked(polygons), tiles };
}

async function plan(pool: GeometryThreads, request: AllocationRequest, signal?: AbortSignal): Promise<AllocationPlan> {
  const near = geometriesNear(request);
  if (near.length === 0 || isQuick(request.addition, ...near)) return planAllocation(request);
  return unpackPlan(await inTime(runInThread(pool, "allocation", packAllocation(request), signal)));
}

interface MissingQuestion {
  readonly area: MultiPolygon;
  readonly covered: MultiPolygon | null;
  readonly freeAreas: readonly MultiPolygon[];
}

async function missing(
  pool: GeometryThreads,
  { area, covered, freeAreas }: MissingQuestion,
  signal?: AbortSignal,
): Promise<number> {
  const held = covered === null ? freeAreas : [covered, ...freeAreas];
  if (held.length === 0 || isQuick(area, ...held)) return missingKm2(area, covered, freeAreas);
  const input = {
    area: packPolygons(area.coordinates),
    covered: covered === null ? null : packPolygons(covered.coordinates),
    freeAreas: freeAreas.map(({ coordinates }) => packPolygons(coordinates)),
  };
  return await inTime(runInThread(pool, "missing", input, signal));
}

/** An area as a thread gave it back. Others have their turn before the caller goes on: both take some milliseconds. */
async function unpacked(polygons: PackedPolygons): Promise<MultiPolygon> {
  const coordinates = unpackPolygons(polygons);
  await giveWayFor(polygons.positions.length / 2);
  return { type: "MultiPolygon", coordinates };
}

/**
 * Before work on so many positions. The request of a small area may itself be light: it does not wait for itself. A request
 * of many scenes waits as long as one of a single scene.
 */
async function giveWayFor(positionCount: number, signal?: AbortSignal): Promise<void> {
  await (positionCount > LARGE_POSITIONS ? giveWayToLight : giveWay)(currentLoopShare(), signal);
}

function isQuick(...areas: readonly MultiPolygon[]): boolean {
  return isQuickOverlay(areas.flatMap(({ coordinates }) => coordinates.flat()));
}

/** The result, or the refusal of polygons whose overlay took too long. */
async function inTime<Result>(work: Promise<Result>, path?: string): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof TooEntangledError)) throw cause;
    if (path === undefined) throw new ServiceError("VALIDATION-ERROR", `the area ${TOO_ENTANGLED}`, { cause });
    const details = [{ path, message: TOO_ENTANGLED }];
    throw new ServiceError("VALIDATION-ERROR", `${path} ${TOO_ENTANGLED}`, { cause, details });
  }
}
