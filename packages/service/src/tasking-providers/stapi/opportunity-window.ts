import { centroid } from "@swath/kernel/geometry/centroid";
import { extentArea } from "@swath/kernel/geometry/extent";
import type { MultiPolygon, Polygon } from "@swath/kernel/geometry/geojson";
import { overlapRatio, prepareArea } from "@swath/kernel/geometry/intersection-ratio";
import { sunPosition } from "@swath/kernel/orbits/sun";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import { footprintOfItem } from "../../sources/stac/item-footprint.ts";
import type { Json } from "../../sources/stac/stac-exchange.ts";
import type { OfferedWindow, TaskingRequest } from "../tasking-provider.ts";
import { intervalText, parseInstant, parseInterval, type Interval } from "./interval.ts";
import type { StapiSettings } from "./settings.ts";
import { recordOf, textOf } from "./stapi-peer.ts";

const FIELDS = {
  offNadirDeg: "view:off_nadir",
  incidenceDeg: "view:incidence_angle",
  lookSide: "sar:observation_direction",
  pass: "sat:orbit_state",
  satellite: "platform",
} as const;

/** The window of an opportunity. Null for one without an interval, or outside the times or the area of the request. */
export function windowOfOpportunity(
  opportunity: Json,
  request: TaskingRequest,
  settings: StapiSettings,
): OfferedWindow | null {
  const properties = recordOf(opportunity["properties"]);
  const interval = intervalOf(properties);
  if (interval === null || interval.endMs < request.fromMs || interval.startMs > request.toMs) return null;
  const area = extentArea(request.geometry);
  const footprint = footprintOfItem(opportunity);
  const coverageRatio = area === null ? 0 : footprint === null ? 1 : coverageOf(area, footprint);
  if (area === null || coverageRatio === 0) return null;
  const names = { ...FIELDS, ...settings.windowFields };
  const middleMs = (interval.startMs + interval.endMs) / 2;
  const [lonDeg, latDeg] = centroid(area);
  return {
    ...interval,
    closestMs: middleMs,
    offNadirDeg: angleOf(properties[names.offNadirDeg], 90),
    incidenceDeg: angleOf(properties[names.incidenceDeg], 90),
    lookSide: wordOf(properties[names.lookSide], ["left", "right"]),
    pass: wordOf(properties[names.pass], ["ascending", "descending"]),
    sunElevationDeg: sunPosition(middleMs, lonDeg, latDeg).elevationDeg,
    satellite: textOf(properties[names.satellite], 100) ?? settings.product,
    coverageRatio,
    strips: stripsOf(footprint, request.geometry),
    uncertaintyS: 0,
    mode: settings.mode ?? settings.product,
    offerId: textOf(opportunity["id"], 300),
    computedFrom: {
      stapi: settings.product,
      opportunity: textOf(opportunity["id"], 300),
      datetime: intervalText(interval),
    },
  };
}

/** Share of an area that a footprint covers, 0..1. */
export function coverageOf(area: MultiPolygon, footprint: MultiPolygon): number {
  return Math.min(1, overlapRatio(prepareArea(area), prepareArea(footprint), "extent"));
}

function intervalOf(properties: Json): Interval | null {
  const interval = parseInterval(properties["datetime"]);
  if (interval !== null) return interval;
  const startMs = parseInstant(properties["start_datetime"]);
  const endMs = parseInstant(properties["end_datetime"]);
  return startMs === null || endMs === null || startMs > endMs ? null : { startMs, endMs };
}

/** A number, or the middle of a range: [from, to] or {minimum, maximum}. Null outside of 0 to a largest value. */
function angleOf(value: unknown, most: number): number | null {
  const ends: readonly unknown[] = Array.isArray(value)
    ? value
    : isRecord(value)
      ? [value["minimum"], value["maximum"]]
      : [value];
  const numbers = ends.filter((one): one is number => typeof one === "number" && one >= 0 && one <= most);
  if (numbers.length === 0 || numbers.length !== ends.length || numbers.length > 2) return null;
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

function wordOf<const Word extends string>(value: unknown, words: readonly Word[]): Word | null {
  return words.find((word) => word === value) ?? null;
}

function stripsOf(footprint: MultiPolygon | null, geometry: Polygon): readonly Polygon[] {
  if (footprint === null) return [geometry];
  return footprint.coordinates.slice(0, 20).map((coordinates) => ({ type: "Polygon", coordinates }));
}
