import type { Rendering, ResultLayer } from "@swath/kernel/raster/rendering";
import type { ValueRange } from "@swath/kernel/raster/stretch";
import { rangeClasses, unionClasses, type ClassPixels } from "./custom-classes.ts";
import { binaryCoverage, type GridJob } from "./grid-job.ts";
import { quantile, sortedValues } from "./value-statistics.ts";

export type ResultRendering = Extract<Rendering, { readonly kind: "result" }>;
export type ClassLayer = Extract<ResultLayer, { readonly kind: "classes" }>;
export type ValueLayer = Extract<ResultLayer, { readonly kind: "values" }>;

/** One layer on the output grid. */
export interface SampledLayer<Layer extends ResultLayer> {
  readonly layer: Layer;
  /** Class numbers or values, also beside the released area; NaN where there is no data. */
  readonly values: Float32Array;
  /** 255 where the pixel has data and lies in the released area. */
  readonly mask: Uint8Array;
}

/** Fewer values have no meaningful percentiles. */
const MIN_PERCENTILE_VALUES = 1_000;

export function sampleLayer(job: GridJob, { layers }: ResultRendering, position: number): SampledLayer<ResultLayer> {
  const kept = job.memo?.layers.get(position);
  if (kept !== undefined) return kept;
  const layer = layers[position];
  if (layer === undefined) throw new RangeError(`layer ${position} of a result that has ${layers.length}`);
  const [plane] = job.sampler.sampleBands([position], layer.kind === "classes" ? "nearest" : "smooth");
  const values = job.access.kernel.floats(plane!, job.coverage.length).slice();
  const mask = binaryCoverage(job.coverage);
  for (let i = 0; i < mask.length; i++) {
    if (Number.isNaN(values[i]!) || (layer.kind === "classes" && values[i] === 0)) mask[i] = 0;
  }
  const sampled = { layer, values, mask };
  job.memo?.layers.set(position, sampled);
  return sampled;
}

export function classesAt(job: GridJob, rendering: ResultRendering, position: number): SampledLayer<ClassLayer> {
  const { layer, ...sampled } = sampleLayer(job, rendering, position);
  if (layer.kind !== "classes") throw new RangeError(`layer ${layer.name} has values, expected classes`);
  return { layer, ...sampled };
}

export function valuesAt(job: GridJob, rendering: ResultRendering, position: number): SampledLayer<ValueLayer> {
  const { layer, ...sampled } = sampleLayer(job, rendering, position);
  if (layer.kind !== "values") throw new RangeError(`layer ${layer.name} has classes, expected values`);
  return { layer, ...sampled };
}

/** The classes of a layer, or those that the caller asked for in their place; null for values that have none. */
export function classPixelsAt(job: GridJob, rendering: ResultRendering, position: number): ClassPixels | null {
  const { layer, values, mask } = sampleLayer(job, rendering, position);
  const { classification } = job.request;
  if (layer.kind === "values") {
    return classification == null || classification.ranges.length === 0
      ? null
      : rangeClasses(values, mask, classification);
  }
  const own = { classes: layer.classes, values, mask };
  return classification == null || classification.unions.length === 0 ? own : unionClasses(own, classification);
}

/** 0.5th and 99.5th percentile of a layer over the whole result, the same for every tile; null when it has few values. */
export function resultPercentiles(job: GridJob, position: number): ValueRange | null {
  const values = job.sampler.computeOverview([position], ([input], target) => target.set(input!));
  const sorted = sortedValues(values, new Uint8Array(values.length).fill(255));
  if (sorted.length < MIN_PERCENTILE_VALUES) return null;
  const low = quantile(sorted, 0.005);
  const high = quantile(sorted, 0.995);
  return high > low ? { low, high } : null;
}
