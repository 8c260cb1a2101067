import { HEAT_RAMP, RAMPS, paintRamp, paintThreshold } from "@swath/kernel/raster-mathematics/colormap";
import type { ValueRange } from "@swath/kernel/raster-mathematics/stretch";
import type { Rendering } from "@swath/kernel/raster-mathematics/rendering";
import { skiMaskBands } from "@swath/kernel/ski/mask-bands";
import { encodeGeoTiff } from "@swath/raster/encode/geotiff";
import { encodeSki } from "@swath/raster/encode/ski";
import type { DrawnImage } from "./composite-image.ts";
import { ABOVE_COLOR, classAreasM2, customClasses, paintClasses, rangeClasses } from "./custom-classes.ts";
import { binaryCoverage, knownAreaM2, type GridJob, type PixelJob } from "./grid-job.ts";
import type { IndexValues } from "./job-memo.ts";
import { indexComputation, type IndexComputation } from "./index-computation.ts";
import { skiGeoreference } from "./ski-meta.ts";
import { countSet, histogramOf, knownValues, quantiles, ratio, valueStatistics } from "./value-statistics.ts";

export type IndexRendering = Extract<Rendering, { readonly kind: "index" }>;

const HISTOGRAM_BINS = 64;
/** Fewer values have no meaningful percentiles. */
const MIN_PERCENTILE_VALUES = 1_000;
/** SKI has no floating-point pixels: index = pixel / 10000, coarser where a range needs more than 16 bits. */
const SKI_STEPS_PER_UNIT = 10_000;
const MAX_SKI_PIXEL = 32_767;

/** Values of an index, and the mask of its pixels in the area that have one. */
export function sampleIndex(job: PixelJob, rendering: IndexRendering): IndexValues {
  if (job.memo?.index != null) return job.memo.index;
  const computation = indexComputation(rendering.index, job.request.scene, job.request.raster);
  const plane = job.sampler.sampleComputed(computation.positions, computation.compute);
  const values = job.access.kernel.floats(plane, job.coverage.length).slice();
  const mask = binaryCoverage(job.coverage);
  for (let i = 0; i < mask.length; i++) if (Number.isNaN(values[i]!)) mask[i] = 0;
  const sampled = { computation, values, mask };
  if (job.memo !== null) job.memo.index = sampled;
  return sampled;
}

/** The diverging picture, binary when a threshold is asked for. */
export function drawIndex(job: PixelJob, rendering: IndexRendering): DrawnImage {
  const index = sampleIndex(job, rendering);
  const { userThreshold, percentileStretch, stretch, classification } = job.request;
  if (userThreshold === null && classification != null) {
    const drawn = paintClasses(rangeClasses(index.values, index.mask, classification));
    return { rgba: drawn, shownPx: countSet(index.mask) };
  }
  const [low, high] = rendering.range;
  const range = stretch ?? (percentileStretch ? scenePercentiles(job, index.computation) : null) ?? { low, high };
  const rgba =
    userThreshold === null
      ? paintRamp(index.values, index.mask, RAMPS[rendering.ramp], range.low, range.high)
      : paintThreshold(index.values, index.mask, userThreshold, ABOVE_COLOR);
  return { rgba, shownPx: countSet(index.mask) };
}

/** The picture that spends all colours on the values the scene has. */
export function drawHeatmap(job: PixelJob, rendering: IndexRendering): DrawnImage {
  const index = sampleIndex(job, rendering);
  const range = job.request.stretch ??
    scenePercentiles(job, index.computation) ?? { low: rendering.range[0], high: rendering.range[1] };
  const rgba = paintRamp(index.values, index.mask, HEAT_RAMP, range.low, range.high);
  return { rgba, shownPx: countSet(index.mask) };
}

/** 0.5th and 99.5th percentile over the whole scene at its coarsest resolution, the same for every tile. */
function scenePercentiles(job: PixelJob, { positions, compute }: IndexComputation): ValueRange | null {
  const values = job.sampler.computeOverview(positions, compute);
  const known = knownValues(values, new Uint8Array(values.length).fill(255));
  if (known.length < MIN_PERCENTILE_VALUES) return null;
  const [low = 0, high = 0] = quantiles([0.005, 0.995], known);
  return high > low ? { low, high } : null;
}

export function indexGeoTiff(job: PixelJob, rendering: IndexRendering): Promise<Uint8Array> {
  const { values, mask } = sampleIndex(job, rendering);
  const pixels = values.slice();
  for (let i = 0; i < pixels.length; i++) if (mask[i] === 0) pixels[i] = Number.NaN;
  const bands = [{ description: rendering.index.shortName, pixels }];
  return encodeGeoTiff({ ...job.frame, bands, nodata: Number.NaN, valid: null, isRgba: false });
}

export function indexSki(job: GridJob, rendering: IndexRendering): Promise<Uint8Array> | null {
  const { values, mask } = sampleIndex(job, rendering);
  if (!mask.includes(255) && !job.request.forceDownload) return null;
  const { widthPx, heightPx } = job.grid;
  const { id } = rendering.index;
  const stepsPerUnit = skiStepsPerUnit(rendering);
  const pixels = new Int16Array(values.length);
  for (let i = 0; i < pixels.length; i++) {
    // NaN becomes 0.
    const step = Math.round(values[i]! * stepsPerUnit);
    pixels[i] = step < -32_768 ? -32_768 : step > MAX_SKI_PIXEL ? MAX_SKI_PIXEL : step;
  }
  const version = String(job.request.version);
  return encodeSki({
    bands: [{ names: [id], widthPx, heightPx, pixels }, ...skiMaskBands([id], [mask], widthPx, heightPx)],
    version,
    meta: {
      meta: {
        algoVersion: version,
        bands: [{ ...skiGeoreference(job.grid), names: [id], scale: 1 / stepsPerUnit, offset: 0 }],
        crsEpsg: 3857,
      },
    },
  });
}

function skiStepsPerUnit({ range: [low, high] }: IndexRendering): number {
  return Math.min(SKI_STEPS_PER_UNIT, MAX_SKI_PIXEL / Math.max(Math.abs(low), Math.abs(high)));
}

/** Area of the classes that the caller asked for, or of the valid pixels, m². */
export function indexAreas(job: GridJob, rendering: IndexRendering): Readonly<Record<string, number>> {
  const { values, mask } = sampleIndex(job, rendering);
  const { classification } = job.request;
  if (classification != null && classification.ranges.length > 0) {
    const pixels = rangeClasses(values, mask, classification);
    return classAreasM2(job, pixels);
  }
  return { valid: knownAreaM2(job, values) };
}

/** The members of metadata.json that describe index values. */
export function indexMetadata(job: GridJob, rendering: IndexRendering): Readonly<Record<string, unknown>> {
  const { values, mask, computation } = sampleIndex(job, rendering);
  const known = knownValues(values, mask);
  const inArea = binaryCoverage(job.coverage);
  const [low, high] = rendering.range;
  return {
    algorithm: {
      name: rendering.algorithm,
      params: {
        formula: rendering.index.formula,
        bands: [...rendering.index.roles, ...(rendering.index.bandNames ?? [])],
        ...rendering.index.parameters,
      },
    },
    classes: customClasses(job, values, mask),
    statistics: valueStatistics(known),
    histogram: histogramOf(known, low, high, HISTOGRAM_BINS),
    validRatio: ratio(known.length, countSet(inArea)),
    quality: { note: computation.note, expected: `reference: ${rendering.index.reference}` },
  };
}
