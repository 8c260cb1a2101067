import { paintRamp, paintThreshold, RAMPS } from "@swath/kernel/raster/colormap";
import { skiMaskBands } from "@swath/kernel/ski/mask-bands";
import { encodeGeoTiff, type GeoTiffBand } from "../encode/geotiff.ts";
import { encodeSki } from "../encode/ski.ts";
import { countVisible, type DrawnImage } from "./composite-image.ts";
import { ABOVE_COLOR, classAreaM2, customClasses, describeClasses, paintClasses } from "./custom-classes.ts";
import { binaryCoverage, maskedAreaM2, geoTiffFrame, type GridJob } from "./grid-job.ts";
import {
  classesAt,
  classPixelsAt,
  resultPercentiles,
  sampleLayer,
  valuesAt,
  type ResultRendering,
} from "./result-layer.ts";
import { skiGeoreference } from "./ski-meta.ts";
import { countSet, histogramOf, ratio, sortedValues, valueStatistics } from "./value-statistics.ts";

type DrawnResult = DrawnImage & { readonly validPx: number };

const HISTOGRAM_BINS = 64;
/** SKI has no floating-point pixels: a value is low + pixel * (high - low) / 10000. */
const SKI_STEPS = 10_000;

/** Pixels of one of the map type's classes. */
export function drawClass(job: GridJob, rendering: ResultRendering, position: number, className: string): DrawnResult {
  const { layer, values, mask } = classesAt(job, rendering, position);
  const classes = layer.classes.filter(({ name }) => name === className);
  return { ...countVisible(paintClasses({ classes, values, mask })), validPx: countSet(mask) };
}

/** Pixels of all classes, or the colours of values. */
export function drawLayer(job: GridJob, rendering: ResultRendering, position: number): DrawnResult {
  const binary = job.request.userThreshold !== null && rendering.layers[position]?.kind === "values";
  const pixels = binary ? null : classPixelsAt(job, rendering, position);
  if (pixels === null) return drawValues(job, rendering, position);
  return { ...countVisible(paintClasses(pixels)), validPx: countSet(pixels.mask) };
}

function drawValues(job: GridJob, rendering: ResultRendering, position: number): DrawnResult {
  const { layer, values, mask } = valuesAt(job, rendering, position);
  const validPx = countSet(mask);
  const { userThreshold, percentileStretch } = job.request;
  if (userThreshold !== null) {
    return { ...countVisible(paintThreshold(values, mask, userThreshold, ABOVE_COLOR)), validPx };
  }
  const percentiles = percentileStretch ? resultPercentiles(job, position) : null;
  const [low, high] = percentiles === null ? layer.range : [percentiles.low, percentiles.high];
  const { drawnFrom } = layer;
  const alpha = drawnFrom === null ? mask : mask.map((value, i) => (values[i]! >= drawnFrom ? value : 0));
  const scaled = layer.scale === "asinh" ? values.map(Math.asinh) : values;
  const [first, last] = layer.scale === "asinh" ? [Math.asinh(low), Math.asinh(high)] : [low, high];
  return { ...countVisible(paintRamp(scaled, alpha, RAMPS[layer.ramp], first, last)), validPx };
}

/** All layers as bands of one type: uint8 classes when there is nothing else, float32 with NaN otherwise. */
export function resultGeoTiff(job: GridJob, rendering: ResultRendering): Uint8Array {
  const sampled = rendering.layers.map((_, position) => sampleLayer(job, rendering, position));
  const onlyClasses = sampled.every(({ layer }) => layer.kind === "classes");
  const bands = sampled.map(({ layer, values, mask }): GeoTiffBand => {
    const pixels = onlyClasses ? new Uint8Array(values.length) : new Float32Array(values.length);
    for (let i = 0; i < values.length; i++) pixels[i] = mask[i] === 0 ? (onlyClasses ? 0 : Number.NaN) : values[i]!;
    return { description: layer.name, pixels };
  });
  const nodata = onlyClasses ? 0 : Number.NaN;
  return encodeGeoTiff({ ...geoTiffFrame(job), bands, nodata, valid: null, isRgba: false });
}

/** One band per class, 1 where it is, and one per layer of values; null without a valid pixel. */
export function resultSki(job: GridJob, rendering: ResultRendering): Uint8Array | null {
  const { widthPx, heightPx } = job.grid;
  const bands: {
    names: string[];
    pixels: Uint8Array | Int16Array;
    mask: Uint8Array;
    scale?: number;
    offset?: number;
  }[] = [];
  for (const [position, { kind }] of rendering.layers.entries()) {
    if (kind === "classes") {
      const { layer, values, mask } = classesAt(job, rendering, position);
      for (const { name, value } of layer.classes) {
        const pixels = new Uint8Array(values.length);
        for (let i = 0; i < pixels.length; i++) pixels[i] = mask[i] !== 0 && values[i] === value ? 1 : 0;
        bands.push({ names: [name], pixels, mask });
      }
    } else {
      const { layer, values, mask } = valuesAt(job, rendering, position);
      const [low, high] = layer.range;
      const scale = (high - low) / SKI_STEPS;
      const pixels = new Int16Array(values.length);
      for (let i = 0; i < pixels.length; i++) {
        if (mask[i] !== 0) pixels[i] = Math.min(Math.max(Math.round((values[i]! - low) / scale), -32_768), 32_767);
      }
      bands.push({ names: [layer.name], pixels, mask, scale, offset: low });
    }
  }
  if (bands.every(({ mask }) => !mask.includes(255)) && !job.request.forceDownload) return null;
  const version = String(job.request.version);
  const names = bands.map(({ names: [name] }) => name!);
  const masks = bands.map(({ mask }) => mask);
  return encodeSki({
    bands: [
      ...bands.map(({ names: own, pixels }) => ({ names: own, widthPx, heightPx, pixels })),
      ...skiMaskBands(names, masks, widthPx, heightPx),
    ],
    version,
    meta: {
      meta: {
        algoVersion: version,
        bands: bands.map(({ names: own, scale, offset }) => ({
          ...skiGeoreference(job.grid),
          names: own,
          ...(scale === undefined ? {} : { scale, offset }),
        })),
        crsEpsg: 3857,
      },
    },
  });
}

/** Area of each class in the window, or of the valid pixels of a layer of values, m². */
export function resultAreas(
  job: GridJob,
  rendering: ResultRendering,
  position: number,
): Readonly<Record<string, number>> {
  const pixels = classPixelsAt(job, rendering, position);
  if (pixels !== null) {
    return Object.fromEntries(pixels.classes.map(({ name, value }) => [name, classAreaM2(job, pixels.values, value)]));
  }
  const { values } = sampleLayer(job, rendering, position);
  const weights = job.coverage.map((share, i) => (Number.isNaN(values[i]!) ? 0 : share));
  return { valid: Number(maskedAreaM2(job.grid, weights).toFixed(1)) };
}

/** The members of metadata.json that describe a result. */
export function resultMetadata(job: GridJob, rendering: ResultRendering): Readonly<Record<string, unknown>> {
  let classes: Readonly<Record<string, unknown>> = {};
  const statistics: Record<string, unknown> = {};
  const inArea = countSet(binaryCoverage(job.coverage));
  const firstValues = rendering.layers.findIndex(({ kind }) => kind === "values");
  let validPx = 0;
  for (const position of rendering.layers.keys()) {
    const { layer, values, mask } = sampleLayer(job, rendering, position);
    validPx = Math.max(validPx, countSet(mask));
    if (layer.kind === "classes") {
      const pixels = classPixelsAt(job, rendering, position);
      if (pixels !== null) classes = { ...classes, ...describeClasses(job, pixels) };
    } else {
      if (position === firstValues) classes = { ...classes, ...customClasses(job, values, mask) };
      const sorted = sortedValues(values, mask);
      const [low, high] = layer.range;
      const histogram = histogramOf(sorted, low, high, HISTOGRAM_BINS);
      statistics[layer.name] = { unit: layer.unit, ...valueStatistics(sorted), histogram };
    }
  }
  const validRatio = ratio(validPx, inArea);
  return {
    algorithm: { name: rendering.algorithm, params: {} },
    classes,
    statistics,
    validRatio,
    quality: rendering.quality,
    ...foundObjects(job, rendering, validRatio),
    ...job.request.result?.metadata,
  };
}

/** Of types with objects: how many, by class, and how fit the scene is to find them: valid and free of clouds. */
function foundObjects(
  { request }: GridJob,
  { products }: ResultRendering,
  validRatio: number,
): Readonly<Record<string, unknown>> {
  if (!Object.values(products).some(({ kind }) => kind === "objects")) return {};
  const objects = request.result?.objects ?? [];
  const byClass: Record<string, number> = {};
  let count = 0;
  for (const { properties } of objects) {
    const name = String(properties["class"] ?? "object");
    const members = typeof properties["count"] === "number" ? properties["count"] : 1;
    byClass[name] = (byClass[name] ?? 0) + members;
    count += members;
  }
  return {
    objects: objects.length,
    features: { features: objects.length, count, byClass },
    sScore: Number((validRatio * (1 - (request.scene.cloudCover ?? 0))).toFixed(3)),
  };
}
