import { paintRamp, paintThreshold, RAMPS } from "@swath/kernel/raster/colormap";
import { skiMaskBands } from "@swath/kernel/ski/mask-bands";
import { encodeGeoTiff, type GeoTiffBand } from "../encode/geotiff.ts";
import { encodeSki } from "../encode/ski.ts";
import type { DrawnImage } from "./composite-image.ts";
import {
  ABOVE_COLOR,
  classAreasM2,
  customClasses,
  describeClasses,
  paintClasses,
  type ClassDescription,
} from "./custom-classes.ts";
import { binaryCoverage, geoTiffFrame, knownAreaM2, weightedAreaM2, type GridJob } from "./grid-job.ts";
import {
  classesAt,
  classPixelsAt,
  resultPercentiles,
  sampleLayer,
  valuesAt,
  type ResultRendering,
  type SampledClasses,
  type SampledValues,
  type ValueLayer,
} from "./result-layer.ts";
import { skiGeoreference } from "./ski-meta.ts";
import {
  countSet,
  histogramOf,
  knownValues,
  ratio,
  valueStatistics,
  type Histogram,
  type ValueStatistics,
} from "./value-statistics.ts";

const HISTOGRAM_BINS = 64;
/** Class whose share is the share of clouds in the window; without it the scene's own stands. */
const CLOUDS = "clouds";
/** SKI has no floating-point pixels: a value is low + pixel * (high - low) / 10000. */
const SKI_STEPS = 10_000;

/** Pixels of one of the map type's classes. */
export function drawClass(job: GridJob, rendering: ResultRendering, position: number, className: string): DrawnImage {
  const { layer, numbers, mask, validPx } = classesAt(job, rendering, position);
  const classes = layer.classes.filter(({ name }) => name === className);
  return { rgba: paintClasses({ classes, numbers, mask }), shownPx: validPx };
}

/** Pixels of all classes, or the colours of values. */
export function drawLayer(job: GridJob, rendering: ResultRendering, position: number): DrawnImage {
  const { kind, validPx } = sampleLayer(job, rendering, position);
  const pixels =
    kind === "values" && job.request.userThreshold !== null ? null : classPixelsAt(job, rendering, position);
  if (pixels === null) return drawValues(job, rendering, position);
  return { rgba: paintClasses(pixels), shownPx: validPx };
}

function drawValues(job: GridJob, rendering: ResultRendering, position: number): DrawnImage {
  const { layer, values, mask, validPx: shownPx } = valuesAt(job, rendering, position);
  const { userThreshold, percentileStretch } = job.request;
  if (userThreshold !== null) return { rgba: paintThreshold(values, mask, userThreshold, ABOVE_COLOR), shownPx };
  const percentiles = percentileStretch ? resultPercentiles(job, position) : null;
  const [low, high] = percentiles === null ? layer.range : [percentiles.low, percentiles.high];
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
export function resultGeoTiff(job: GridJob, rendering: ResultRendering): Promise<Uint8Array> {
  const onlyClasses = rendering.layers.every(({ kind }) => kind === "classes");
  const nodata = onlyClasses ? 0 : Number.NaN;
  const bands = rendering.layers.map((_, position): GeoTiffBand => {
    const sampled = sampleLayer(job, rendering, position);
    const { layer, mask } = sampled;
    if (sampled.kind === "values") return { description: layer.name, pixels: masked(sampled.values, mask, nodata) };
    const numbers = onlyClasses ? sampled.numbers : Float32Array.from(sampled.numbers);
    return { description: layer.name, pixels: masked(numbers, mask, nodata) };
  });
  return encodeGeoTiff({ ...geoTiffFrame(job), bands, nodata, valid: null, isRgba: false });
}

/** A copy with `fill` where the mask is 0. */
function masked<Pixels extends Uint8Array | Float32Array>(pixels: Pixels, mask: Uint8Array, fill: number): Pixels {
  const copy = pixels.slice() as Pixels;
  for (let i = 0; i < copy.length; i++) if (mask[i] === 0) copy[i] = fill;
  return copy;
}

interface ResultBand {
  readonly name: string;
  readonly pixels: Uint8Array | Int16Array;
  readonly mask: Uint8Array;
  readonly scale?: number;
  readonly offset?: number;
}

/** One band per class, 1 where it is, and one per layer of values; null without a valid pixel. */
export function resultSki(job: GridJob, rendering: ResultRendering): Promise<Uint8Array> | null {
  const { widthPx, heightPx } = job.grid;
  const sampled = [...rendering.layers.keys()].map((position) => sampleLayer(job, rendering, position));
  if (sampled.every(({ validPx }) => validPx === 0) && !job.request.forceDownload) return null;
  const bands = sampled.flatMap((layer) => (layer.kind === "classes" ? classBands(layer) : [valueBand(layer)]));
  const version = String(job.request.version);
  const names = bands.map(({ name }) => name);
  const masks = bands.map(({ mask }) => mask);
  const { algoVersion = version } = job.request.result?.metadata ?? {};
  const validPx = Math.max(...sampled.map((layer) => layer.validPx));
  const sScore = sceneScore(job, rendering, ratio(validPx, countSet(binaryCoverage(job.coverage))));
  return encodeSki({
    bands: [
      ...bands.map(({ name, pixels }) => ({ names: [name], widthPx, heightPx, pixels })),
      ...skiMaskBands(names, masks, widthPx, heightPx),
    ],
    version,
    meta: {
      meta: {
        algoVersion,
        bands: bands.map(({ name, scale, offset }) => ({
          ...skiGeoreference(job.grid),
          names: [name],
          ...(scale === undefined ? {} : { scale, offset }),
        })),
        crsEpsg: 3857,
        ...(sScore === null ? {} : { sScore }),
      },
    },
  });
}

function classBands({ layer, numbers, mask }: SampledClasses): readonly ResultBand[] {
  return layer.classes.map(({ name, value }) => {
    const pixels = new Uint8Array(numbers.length);
    for (let i = 0; i < pixels.length; i++) pixels[i] = mask[i] !== 0 && numbers[i] === value ? 1 : 0;
    return { name, pixels, mask };
  });
}

function valueBand({ layer, values, mask }: SampledValues): ResultBand {
  const [low, high] = layer.range;
  const scale = (high - low) / SKI_STEPS;
  const perStep = SKI_STEPS / (high - low);
  const pixels = new Int16Array(values.length);
  for (let i = 0; i < pixels.length; i++) {
    if (mask[i] === 0) continue;
    const step = Math.round((values[i]! - low) * perStep);
    pixels[i] = step < -32_768 ? -32_768 : step > 32_767 ? 32_767 : step;
  }
  return { name: layer.name, pixels, mask, scale, offset: low };
}

/** Area of each class in the window, or of the valid pixels of a layer of values, m². */
export function resultAreas(
  job: GridJob,
  rendering: ResultRendering,
  position: number,
): Readonly<Record<string, number>> {
  const pixels = classPixelsAt(job, rendering, position);
  return pixels === null
    ? { valid: knownAreaM2(job, valuesAt(job, rendering, position).values) }
    : classAreasM2(job, pixels);
}

interface LayerDescription {
  readonly unit: string;
  readonly statistics: ValueStatistics;
  readonly histogram: Histogram;
}

/** Values of a layer summed over the released area. */
interface LayerTotal {
  readonly value: number;
  readonly unit: string;
}

function totalOf(
  job: GridJob,
  { unit, perSquareMetre }: NonNullable<ValueLayer["total"]>,
  values: Float32Array,
): LayerTotal {
  const weights = new Float64Array(values.length);
  for (let i = 0; i < weights.length; i++) {
    const value = values[i]!;
    if (!Number.isNaN(value)) weights[i] = value * job.coverage[i]!;
  }
  const total = perSquareMetre * weightedAreaM2(job.grid, weights);
  return { value: Number(total.toPrecision(7)), unit };
}

/** The members of metadata.json that describe a result. */
export function resultMetadata(job: GridJob, rendering: ResultRendering): Readonly<Record<string, unknown>> {
  let classes: Readonly<Record<string, ClassDescription>> = {};
  const layers: Record<string, LayerDescription> = {};
  const inArea = countSet(binaryCoverage(job.coverage));
  const firstValues = rendering.layers.findIndex(({ kind }) => kind === "values");
  const totals: Record<string, LayerTotal> = {};
  let validPx = 0;
  for (const position of rendering.layers.keys()) {
    const sampled = sampleLayer(job, rendering, position);
    validPx = Math.max(validPx, sampled.validPx);
    if (sampled.kind === "classes") {
      const pixels = classPixelsAt(job, rendering, position);
      if (pixels !== null) classes = { ...classes, ...describeClasses(job, pixels) };
    } else {
      const { layer, values, mask } = sampled;
      if (position === firstValues) classes = { ...classes, ...customClasses(job, values, mask) };
      const known = knownValues(values, mask);
      const [low, high] = layer.range;
      const histogram = histogramOf(known, low, high, HISTOGRAM_BINS);
      layers[layer.name] = { unit: layer.unit, statistics: valueStatistics(known), histogram };
      if (layer.total !== undefined) totals[layer.total.name] = totalOf(job, layer.total, values);
    }
  }
  const validRatio = ratio(validPx, inArea);
  const [first] = Object.values(layers);
  return {
    algorithm: { name: rendering.algorithm, params: {} },
    classes,
    statistics: first?.statistics ?? valueStatistics(new Float32Array()),
    ...(first === undefined ? {} : { histogram: first.histogram, layers }),
    ...totals,
    validRatio,
    ...(CLOUDS in classes ? { cloudRatio: classes[CLOUDS].ratio } : {}),
    quality: rendering.quality,
    ...foundObjects(job, rendering, validRatio),
    ...job.request.result?.metadata,
  };
}

interface FoundObjects {
  readonly objects: number;
  readonly features: {
    readonly features: number;
    readonly count: number;
    readonly byClass: Readonly<Record<string, number>>;
  };
  readonly sScore: number;
}

/** Of types with objects: how fit the scene is to find them, valid and free of clouds; null for others. */
function sceneScore({ request }: GridJob, { products }: ResultRendering, validRatio: number): number | null {
  if (!Object.values(products).some(({ kind }) => kind === "objects")) return null;
  return Number((validRatio * (1 - (request.scene.cloudCover ?? 0))).toFixed(3));
}

/** Of types with objects: how many, by class, and the score of the scene. */
function foundObjects(job: GridJob, rendering: ResultRendering, validRatio: number): FoundObjects | null {
  const sScore = sceneScore(job, rendering, validRatio);
  if (sScore === null) return null;
  const objects = job.request.result?.objects ?? [];
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
    sScore,
  };
}
