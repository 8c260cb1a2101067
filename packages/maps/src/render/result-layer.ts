import type { Rendering } from "@swath/kernel/raster-mathematics/rendering";
import type { ValueRange } from "@swath/kernel/raster-mathematics/stretch";
import { rangeClasses, unionClasses, type ClassPixels } from "./custom-classes.ts";
import { binaryCoverage, type PixelJob } from "./grid-job.ts";
import type { ClassLayer, SampledClasses, SampledValues, ValueLayer } from "./job-memo.ts";
import { countSet, knownValues, quantiles } from "./value-statistics.ts";

export type ResultRendering = Extract<Rendering, { readonly kind: "result" }>;

/** Fewer values have no meaningful percentiles. */
const MIN_PERCENTILE_VALUES = 1_000;

export function sampleLayer(
  job: PixelJob,
  { layers }: ResultRendering,
  position: number,
): SampledClasses | SampledValues {
  const kept = job.memo?.layers.get(position);
  if (kept !== undefined) return kept;
  const layer = layers[position];
  if (layer === undefined) throw new RangeError(`layer ${position} of a result that has ${layers.length}`);
  const [plane] = job.sampler.sampleBands([position], layer.kind === "classes" ? "nearest" : "smooth");
  const pixels = job.access.kernel.floats(plane!, job.coverage.length);
  const sampled = layer.kind === "classes" ? classesOf(job, layer, pixels) : valuesOf(job, layer, pixels);
  job.memo?.layers.set(position, sampled);
  return sampled;
}

function classesOf(job: PixelJob, layer: ClassLayer, pixels: Float32Array): SampledClasses {
  // NaN becomes 0.
  const numbers = Uint8Array.from(pixels);
  const mask = binaryCoverage(job.coverage);
  for (let i = 0; i < mask.length; i++) if (numbers[i] === 0) mask[i] = 0;
  return { kind: "classes", layer, numbers, mask, validPx: countSet(mask) };
}

function valuesOf(job: PixelJob, layer: ValueLayer, pixels: Float32Array): SampledValues {
  const values = pixels.slice();
  const mask = binaryCoverage(job.coverage);
  for (let i = 0; i < mask.length; i++) if (Number.isNaN(values[i]!)) mask[i] = 0;
  return { kind: "values", layer, values, mask, validPx: countSet(mask) };
}

export function classesAt(job: PixelJob, rendering: ResultRendering, position: number): SampledClasses {
  const sampled = sampleLayer(job, rendering, position);
  if (sampled.kind !== "classes") throw new RangeError(`layer ${sampled.layer.name} has values, expected classes`);
  return sampled;
}

export function valuesAt(job: PixelJob, rendering: ResultRendering, position: number): SampledValues {
  const sampled = sampleLayer(job, rendering, position);
  if (sampled.kind !== "values") throw new RangeError(`layer ${sampled.layer.name} has classes, expected values`);
  return sampled;
}

/** The classes of a layer, or those that the caller asked for in their place; null for values that have none. */
export function classPixelsAt(job: PixelJob, rendering: ResultRendering, position: number): ClassPixels | null {
  const sampled = sampleLayer(job, rendering, position);
  const { classification } = job.request;
  if (sampled.kind === "values") {
    return classification == null || classification.ranges.length === 0
      ? null
      : rangeClasses(sampled.values, sampled.mask, classification);
  }
  const own = { classes: sampled.layer.classes, numbers: sampled.numbers, mask: sampled.mask };
  return classification == null || classification.unions.length === 0 ? own : unionClasses(own, classification);
}

/** 0.5th and 99.5th percentile of a layer over the whole result, the same for every tile; null when it has few values. */
export function resultPercentiles(job: PixelJob, position: number): ValueRange | null {
  const values = job.sampler.computeOverview([position], ([input], target) => target.set(input!));
  const known = knownValues(values, new Uint8Array(values.length).fill(255));
  if (known.length < MIN_PERCENTILE_VALUES) return null;
  const [low = 0, high = 0] = quantiles([0.005, 0.995], known);
  return high > low ? { low, high } : null;
}
