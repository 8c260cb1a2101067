import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import { DEGREE, meridianArcM, primeVerticalRadiusM } from "@swath/kernel/geometry/wgs84";
import { MAX_AREA_PIXELS, MAX_STATISTICS_PIXELS } from "@swath/contract/features/maps/statistics-contract";
import type { Areas } from "../../../platform/geometry/areas.ts";
import { MAX_AREA_POSITIONS, MAX_LATITUDE_DEG, requestedFeatures } from "./plan-statistics.ts";
import { refuse } from "./refuse.ts";

/** An area of a request in normal form. */
export interface Zone {
  readonly id: string;
  readonly area: MultiPolygon;
  /** Ground of the box around it. */
  readonly boxM2: number;
}

/** A batch keeps a thread busy for less than a second. */
const MAX_BATCH_ZONES = 200;
const MAX_BATCH_PIXELS = 2_000_000;

/** Gives way to others by elapsed time: ten thousand areas take a second. @throws {ServiceError} as `Areas.read` */
export async function readZones(
  areas: Pick<Areas, "read">,
  geojson: GeoJson,
  signal: AbortSignal,
): Promise<readonly Zone[]> {
  const share = loopShare();
  const zones: Zone[] = [];
  for (const [index, { id, geometry }] of requestedFeatures(geojson).entries()) {
    if (isUsedUp(share)) await giveWay(share, signal);
    const path = geojson.type === "FeatureCollection" ? `/areas/features/${index}/geometry` : "/areas";
    const rules = { path, maxLatitudeDeg: MAX_LATITUDE_DEG, sceneCount: 1, maxPositions: MAX_AREA_POSITIONS };
    const area = await areas.read(geometry, rules, signal);
    zones.push({ id, area, boxM2: boxM2(area) });
  }
  return zones;
}

/** Refuses zones whose pixels are too many. @throws {ServiceError} VALIDATION-ERROR */
export function requirePixels(zones: readonly Zone[], pixelM: number, maps: number): void {
  let total = 0;
  for (const { id, boxM2: groundM2 } of zones) {
    const pixels = Math.ceil(groundM2 / pixelM ** 2);
    if (pixels > MAX_AREA_PIXELS) {
      const got = `${pixels} pixels of ${pixelM} m in the box around the area ${id}`;
      refuse("/resolution", `gives ${got}, expected at most ${MAX_AREA_PIXELS}: take a coarser one or a smaller area`);
    }
    total += pixels;
  }
  if (total * maps > MAX_STATISTICS_PIXELS) {
    const got = `${total} pixels of ${maps} maps, ${total * maps} together`;
    refuse("/areas", `have ${got}, expected at most ${MAX_STATISTICS_PIXELS}: take a coarser resolution or fewer maps`);
  }
}

/** Positions of the zones that a thread looks at in one go. */
export function batchesOf(zones: readonly Zone[], pixelM: number): readonly (readonly number[])[] {
  const batches: number[][] = [];
  let pixels = Infinity;
  for (const [index, { boxM2: groundM2 }] of zones.entries()) {
    const own = groundM2 / pixelM ** 2;
    const last = batches.at(-1);
    if (last === undefined || last.length >= MAX_BATCH_ZONES || pixels + own > MAX_BATCH_PIXELS) {
      batches.push([index]);
      pixels = own;
    } else {
      last.push(index);
      pixels += own;
    }
  }
  return batches;
}

function boxM2(area: MultiPolygon): number {
  const [west, south, east, north] = mbr(area);
  const middleDeg = (south + north) / 2;
  const widthM = (east - west) * DEGREE * primeVerticalRadiusM(middleDeg) * Math.cos(middleDeg * DEGREE);
  return widthM * meridianArcM(south, north);
}
