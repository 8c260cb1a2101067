import { areaKm2, roundAreaKm2 } from "../geometry/area.ts";
import { normalForm } from "../geometry/antimeridian.ts";
import { canonicalMultiPolygon } from "../geometry/canonical.ts";
import { encodeFootprint } from "../geometry/footprint-codec.ts";
import type { Bounds, MultiPolygon } from "../geometry/geojson.ts";
import { mbr } from "../geometry/mbr.ts";

/** Where a scene is, as the database has it. */
export interface SceneOutline {
  /** Unwrapped: the east exceeds 180 across the antimeridian. */
  readonly bounds: Bounds;
  /** Of `encodeFootprint`. */
  readonly footprint: Uint8Array;
  /** Of the encoded footprint. */
  readonly areaKm2: number;
}

/** The footprint of a scene in canonical normal form: ratios, prices and answers then use the same polygon. */
export function canonicalFootprint(area: MultiPolygon): MultiPolygon {
  return canonicalMultiPolygon({ type: "MultiPolygon", coordinates: normalForm(area.coordinates) });
}

/** @throws {RangeError} if the footprint has no area */
export function sceneOutline(area: MultiPolygon): SceneOutline {
  const footprint = canonicalFootprint(area);
  const rounded = roundAreaKm2(areaKm2(footprint));
  if (!(rounded > 0)) throw new RangeError("the footprint has no area");
  return { bounds: mbr(footprint), footprint: encodeFootprint(footprint), areaKm2: rounded };
}
