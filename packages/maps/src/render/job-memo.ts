import type { Position } from "@swath/kernel/geometry/geojson";
import type { ResultLayer } from "@swath/kernel/raster-mathematics/rendering";
import type { DrawnImage } from "./composite-image.ts";
import type { IndexComputation } from "./index-computation.ts";

/** Pixels that several files of one window are made of, kept while they are. */
export interface JobMemo {
  readonly layers: Map<number, SampledClasses | SampledValues>;
  /** Values of bands beside the released area, too. */
  readonly bands: Map<number, Float32Array>;
  /** Area of the pixels of each number, by the pixels. */
  readonly areas: Map<Uint8Array, Float64Array>;
  readonly polygons: Map<number, readonly ClassPolygon[]>;
  index: IndexValues | null;
  picture: DrawnImage | null;
}

export type ClassLayer = Extract<ResultLayer, { readonly kind: "classes" }>;
export type ValueLayer = Extract<ResultLayer, { readonly kind: "values" }>;

/** A layer of classes on the output grid. */
export interface SampledClasses {
  readonly kind: "classes";
  readonly layer: ClassLayer;
  /** Class numbers, also beside the released area; 0 where there is no data. */
  readonly numbers: Uint8Array;
  /** 255 where the pixel has data and lies in the released area. */
  readonly mask: Uint8Array;
  /** Pixels that the mask has. */
  readonly validPx: number;
}

/** A layer of values on the output grid. */
export interface SampledValues {
  readonly kind: "values";
  readonly layer: ValueLayer;
  /** Also beside the released area; NaN where there is no data. */
  readonly values: Float32Array;
  /** 255 where the pixel has data and lies in the released area. */
  readonly mask: Uint8Array;
  /** Pixels that the mask has. */
  readonly validPx: number;
}

/** A connected region of one class. */
export interface ClassPolygon {
  readonly className: string;
  readonly areaM2: number;
  /** Closed rings, the exterior first: counter-clockwise, holes clockwise; degrees, seven decimals. */
  readonly rings: readonly (readonly Position[])[];
}

/** Values of an index on the output grid. */
export interface IndexValues {
  readonly computation: IndexComputation;
  readonly values: Float32Array;
  /** 255 where the value counts: valid and in the released area. */
  readonly mask: Uint8Array;
}
