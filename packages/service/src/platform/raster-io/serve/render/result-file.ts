import { paintRamp, RAMPS } from "@swath/kernel/raster/colormap";
import type { Rendering, ResultClass, ResultLayer } from "@swath/kernel/raster/rendering";
import { skiMaskBands } from "@swath/kernel/ski/mask-bands";
import { encodeGeoTiff, mercatorGeoTiffGrid, type GeoTiffBand } from "../encode/geotiff.ts";
import { encodeSki } from "../encode/ski.ts";
import { countVisible, type DrawnImage } from "./composite-image.ts";
import { binaryCoverage, maskedAreaM2, type GridJob } from "./grid-job.ts";
import { ratio } from "./index-file.ts";
import { skiGeoreference } from "./ski-meta.ts";
import { histogramOf, sortedValues, valueStatistics } from "./value-statistics.ts";

export type ResultRendering = Extract<Rendering, { readonly kind: "result" }>;
type ClassLayer = Extract<ResultLayer, { readonly kind: "classes" }>;
type ValueLayer = Extract<ResultLayer, { readonly kind: "values" }>;
type DrawnResult = DrawnImage & { readonly validPx: number };

/** One layer on the output grid. */
interface SampledLayer<Layer extends ResultLayer> {
  readonly layer: Layer;
  /** Class numbers or values; NaN where there is no data. */
  readonly values: Float32Array;
  /** 255 where the pixel has data and lies in the released area. */
  readonly mask: Uint8Array;
}

const HISTOGRAM_BINS = 64;
/** SKI has no floating-point pixels: a value is low + pixel * (high - low) / 10000. */
const SKI_STEPS = 10_000;

function sampleLayer(job: GridJob, { layers }: ResultRendering, position: number): SampledLayer<ResultLayer> {
  const layer = layers[position];
  if (layer === undefined) throw new RangeError(`layer ${position} of a result that has ${layers.length}`);
  const [plane] = job.sampler.sampleBands([position], layer.kind === "classes" ? "nearest" : "smooth");
  const values = job.access.kernel.floats(plane!, job.coverage.length).slice();
  const mask = binaryCoverage(job.coverage);
  for (let i = 0; i < mask.length; i++) {
    if (Number.isNaN(values[i]!) || (layer.kind === "classes" && values[i] === 0)) mask[i] = 0;
  }
  return { layer, values, mask };
}

function classesAt(job: GridJob, rendering: ResultRendering, position: number): SampledLayer<ClassLayer> {
  const { layer, ...sampled } = sampleLayer(job, rendering, position);
  if (layer.kind !== "classes") throw new RangeError(`layer ${layer.name} has values, expected classes`);
  return { layer, ...sampled };
}

function valuesAt(job: GridJob, rendering: ResultRendering, position: number): SampledLayer<ValueLayer> {
  const { layer, ...sampled } = sampleLayer(job, rendering, position);
  if (layer.kind !== "values") throw new RangeError(`layer ${layer.name} has classes, expected values`);
  return { layer, ...sampled };
}

/** Class pixels opaque in their colour, the rest transparent; one class or all. */
export function drawClasses(
  job: GridJob,
  rendering: ResultRendering,
  position: number,
  className: string | null,
): DrawnResult {
  const { layer, values, mask } = classesAt(job, rendering, position);
  const colors = new Map(
    layer.classes.filter(({ name }) => className === null || name === className).map((c) => [c.value, c.color]),
  );
  const rgba = new Uint8Array(values.length * 4);
  for (let i = 0; i < values.length; i++) {
    const color = mask[i] === 0 ? undefined : colors.get(values[i]!);
    if (color === undefined) continue;
    rgba.set(color, i * 4);
    rgba[i * 4 + 3] = 255;
  }
  return { ...countVisible(rgba), validPx: countSet(mask) };
}

export function drawValues(job: GridJob, rendering: ResultRendering, position: number): DrawnResult {
  const { layer, values, mask } = valuesAt(job, rendering, position);
  const validPx = countSet(mask);
  const [low, high] = layer.range;
  const { drawnFrom } = layer;
  const alpha = drawnFrom === null ? mask : mask.map((value, i) => (values[i]! >= drawnFrom ? value : 0));
  const scaled = layer.scale === "asinh" ? values.map(Math.asinh) : values;
  const [first, last] = layer.scale === "asinh" ? [Math.asinh(low), Math.asinh(high)] : [low, high];
  return { ...countVisible(paintRamp(scaled, alpha, RAMPS[layer.ramp], first, last)), validPx };
}

export function drawLayer(job: GridJob, rendering: ResultRendering, position: number): DrawnResult {
  return rendering.layers[position]?.kind === "values"
    ? drawValues(job, rendering, position)
    : drawClasses(job, rendering, position, null);
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
  return encodeGeoTiff({ grid: mercatorGeoTiffGrid(job.grid), bands, nodata, valid: null, isRgba: false });
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
        const pixels = Uint8Array.from(values, (v, i) => (mask[i] !== 0 && v === value ? 1 : 0));
        bands.push({ names: [name], pixels, mask });
      }
    } else {
      const { layer, values, mask } = valuesAt(job, rendering, position);
      const [low, high] = layer.range;
      const scale = (high - low) / SKI_STEPS;
      const pixels = Int16Array.from(values, (v, i) =>
        mask[i] === 0 ? 0 : Math.min(Math.max(Math.round((v - low) / scale), -32_768), 32_767),
      );
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

/** Area of each class in the window, m². */
export function resultAreas(
  job: GridJob,
  rendering: ResultRendering,
  position: number,
): Readonly<Record<string, number>> {
  const { layer, values, mask } = classesAt(job, rendering, position);
  return Object.fromEntries(layer.classes.map((c) => [c.name, classAreaM2(job, c, values, mask)]));
}

function classAreaM2(job: GridJob, { value }: ResultClass, values: Float32Array, mask: Uint8Array): number {
  const weights = job.coverage.map((coverage, i) => (mask[i] !== 0 && values[i] === value ? coverage : 0));
  return Number(maskedAreaM2(job.grid, weights).toFixed(1));
}

/** The members of metadata.json that describe a result. */
export function resultMetadata(job: GridJob, rendering: ResultRendering): Readonly<Record<string, unknown>> {
  const classes: Record<string, unknown> = {};
  const statistics: Record<string, unknown> = {};
  const inArea = countSet(binaryCoverage(job.coverage));
  let validPx = 0;
  for (const position of rendering.layers.keys()) {
    const { layer, values, mask } = sampleLayer(job, rendering, position);
    const layerPx = countSet(mask);
    validPx = Math.max(validPx, layerPx);
    if (layer.kind === "classes") {
      for (const described of layer.classes) {
        let pixels = 0;
        for (let i = 0; i < values.length; i++) if (mask[i] !== 0 && values[i] === described.value) pixels++;
        const areaM2 = classAreaM2(job, described, values, mask);
        classes[described.name] = { pixels, areaM2, ratio: ratio(pixels, layerPx), color: described.color };
      }
    } else {
      const sorted = sortedValues(values, mask);
      const [low, high] = layer.range;
      const histogram = histogramOf(sorted, low, high, HISTOGRAM_BINS);
      statistics[layer.name] = { unit: layer.unit, ...valueStatistics(sorted), histogram };
    }
  }
  return {
    algorithm: { name: rendering.algorithm, params: {} },
    classes,
    statistics,
    validRatio: ratio(validPx, inArea),
    quality: rendering.quality,
    ...(job.request.result === undefined ? {} : { objects: job.request.result.objects.length }),
    ...job.request.result?.metadata,
  };
}

function countSet(mask: Uint8Array): number {
  let count = 0;
  for (const value of mask) if (value !== 0) count++;
  return count;
}
