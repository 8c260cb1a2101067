import { paintRamp, paintThreshold, RAMPS } from "@swath/kernel/raster-mathematics/colormap";
import { encodeGeoTiff, type GeoTiffBand } from "@swath/raster/encode/geotiff";
import type { DrawnImage } from "./composite-image.ts";
import { ABOVE_COLOR, paintClasses } from "./custom-classes.ts";
import type { PixelJob } from "./grid-job.ts";
import {
  classesAt,
  classPixelsAt,
  resultPercentiles,
  sampleLayer,
  valuesAt,
  type ResultRendering,
} from "./result-layer.ts";

/** Pixels of one of the map type's classes. */
export function drawClass(job: PixelJob, rendering: ResultRendering, position: number, className: string): DrawnImage {
  const { layer, numbers, mask, validPx } = classesAt(job, rendering, position);
  const classes = layer.classes.filter(({ name }) => name === className);
  return { rgba: paintClasses({ classes, numbers, mask }), shownPx: validPx };
}

/** Pixels of all classes, or the colours of values. */
export function drawLayer(job: PixelJob, rendering: ResultRendering, position: number): DrawnImage {
  const { kind, validPx } = sampleLayer(job, rendering, position);
  const pixels =
    kind === "values" && job.request.userThreshold !== null ? null : classPixelsAt(job, rendering, position);
  if (pixels === null) return drawValues(job, rendering, position);
  return { rgba: paintClasses(pixels), shownPx: validPx };
}

function drawValues(job: PixelJob, rendering: ResultRendering, position: number): DrawnImage {
  const { layer, values, mask, validPx: shownPx } = valuesAt(job, rendering, position);
  const { userThreshold, percentileStretch, stretch } = job.request;
  if (userThreshold !== null) return { rgba: paintThreshold(values, mask, userThreshold, ABOVE_COLOR), shownPx };
  const limits = stretch ?? (percentileStretch ? resultPercentiles(job, position) : null);
  const [low, high] = limits === null ? layer.range : [limits.low, limits.high];
  const alpha = layer.drawnFrom === null ? mask : atLeast(values, layer.drawnFrom, mask);
  const scaled = layer.scale === "asinh" ? values.map(Math.asinh) : values;
  const [first, last] = layer.scale === "asinh" ? [Math.asinh(low), Math.asinh(high)] : [low, high];
  return { rgba: paintRamp(scaled, alpha, RAMPS[layer.ramp], first, last), shownPx };
}

/** The part of a mask where values are not below a limit. */
function atLeast(values: Float32Array, limit: number, mask: Uint8Array): Uint8Array {
  const part = new Uint8Array(mask.length);
  for (let i = 0; i < part.length; i++) if (values[i]! >= limit) part[i] = mask[i]!;
  return part;
}

/** All layers as bands of one type: uint8 classes when there is nothing else, float32 with NaN otherwise. */
export function resultGeoTiff(job: PixelJob, rendering: ResultRendering): Promise<Uint8Array> {
  const onlyClasses = rendering.layers.every(({ kind }) => kind === "classes");
  const nodata = onlyClasses ? 0 : Number.NaN;
  const bands = rendering.layers.map((_, position): GeoTiffBand => {
    const sampled = sampleLayer(job, rendering, position);
    const { layer, mask } = sampled;
    if (sampled.kind === "values") return { description: layer.name, pixels: masked(sampled.values, mask, nodata) };
    const numbers = onlyClasses ? sampled.numbers : Float32Array.from(sampled.numbers);
    return { description: layer.name, pixels: masked(numbers, mask, nodata) };
  });
  return encodeGeoTiff({ ...job.frame, bands, nodata, valid: null, isRgba: false });
}

/** A copy with `fill` where the mask is 0. */
function masked<Pixels extends Uint8Array | Float32Array>(pixels: Pixels, mask: Uint8Array, fill: number): Pixels {
  const copy = pixels.slice() as Pixels;
  for (let i = 0; i < copy.length; i++) if (mask[i] === 0) copy[i] = fill;
  return copy;
}
