import type { Position } from "../geometry/geojson.ts";

/** An object of an analysis result at its place on Earth. */
export interface PlacedObject {
  /** Decides which tile it belongs to; degrees. */
  readonly centre: readonly [lonDeg: number, latDeg: number];
  /** Closed ring, counter-clockwise, seven decimals. */
  readonly ring: readonly Position[];
  /** The feature's properties but `featureId`. */
  readonly properties: Readonly<Record<string, number | string | readonly number[]>>;
}
