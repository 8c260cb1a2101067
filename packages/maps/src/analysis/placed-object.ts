import type { Position } from "@swath/kernel/geometry/geojson";

/** An object of an analysis result at its place on Earth. */
export interface PlacedObject {
  /** Decides which tile it belongs to; degrees, longitude in [-180, 180). */
  readonly centre: readonly [lonDeg: number, latDeg: number];
  /** Closed ring, counter-clockwise, seven decimals; longitudes run on past ±180 where it crosses the antimeridian. */
  readonly ring: readonly Position[];
  /** The feature's properties but `featureId`. */
  readonly properties: Readonly<Record<string, number | string | readonly number[]>>;
}
