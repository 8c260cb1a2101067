import { planComposite } from "@swath/kernel/raster/composite";
import type { SkiPixels } from "@swath/kernel/ski/band-file";
import { skiMaskBands } from "@swath/kernel/ski/mask-bands";
import type { SkiBand } from "@swath/kernel/ski/ski-file";
import type { DataType, StoredBand } from "@swath/kernel/scenes/stored-raster";
import type { PixelArray } from "../../source-raster.ts";
import { encodeGeoTiff, mercatorGeoTiffGrid } from "../encode/geotiff.ts";
import { encodeSki } from "../encode/ski.ts";
import { drawComposite, type DrawnImage } from "./composite-image.ts";
import { binaryCoverage, type GridJob } from "./grid-job.ts";
import { skiGeoreference } from "./ski-meta.ts";

/** Draws the picture of the scene. */
export function drawPicture(job: GridJob): DrawnImage {
  const { scene, raster, percentileStretch } = job.request;
  const composite = planComposite(scene, raster, { percentile: percentileStretch });
  return drawComposite(job.access, job.sampler, composite, job.coverage);
}

interface WarpedBand {
  readonly stored: StoredBand;
  readonly names: readonly string[];
  /** NaN where invalid or outside the released area. */
  readonly values: Float32Array;
}

/** Every band of the scene on the output grid, one after the other: kernel memory holds one at a time. */
function* warpedBands(job: GridJob): Iterable<WarpedBand> {
  const { request, access, sampler, coverage } = job;
  sampler.prepare([...request.raster.bands.keys()]);
  for (const [position, stored] of request.raster.bands.entries()) {
    const mode = stored.palette !== null || stored.quantity === "class" ? "nearest" : "smooth";
    const [plane] = sampler.sampleBands([position], mode);
    const values = access.kernel.floats(plane!, coverage.length).slice();
    for (let i = 0; i < values.length; i++) if (coverage[i]! < 128) values[i] = Number.NaN;
    yield { stored, names: request.scene.bands[position]?.names ?? [`band ${position + 1}`], values };
    access.kernel.reset();
  }
}

/** analysis.geotiff: the original values of every band; a type of their own only when all bands share it. */
export function bandsGeoTiff(job: GridJob): Uint8Array {
  const { raster } = job.request;
  const types = new Set(raster.bands.map((band) => band.dataType));
  const dataType: DataType = types.size === 1 ? raster.bands[0]!.dataType : "float32";
  const isFloat = dataType.startsWith("float");
  const shared = sharedNodata(raster.bands);
  const nodata = isFloat ? Number.NaN : shared;
  const valid = isFloat || nodata !== null ? null : binaryCoverage(job.coverage);
  const bands = [...warpedBands(job)].map(({ names, values }) => {
    if (valid !== null) for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i]!)) valid[i] = 0;
    return { description: names[0] ?? "", pixels: toPixels(values, dataType, nodata ?? 0) };
  });
  return encodeGeoTiff({ grid: mercatorGeoTiffGrid(job.grid), bands, nodata, valid, isRgba: false });
}

function sharedNodata(bands: readonly StoredBand[]): number | null {
  const first = bands[0]?.nodata ?? null;
  return typeof first === "number" && bands.every((band) => band.nodata === first) ? first : null;
}

const ARRAYS = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

const INTEGER_LIMITS: Readonly<Partial<Record<DataType, readonly [low: number, high: number]>>> = {
  uint8: [0, 255],
  int8: [-128, 127],
  uint16: [0, 65_535],
  int16: [-32_768, 32_767],
  uint32: [0, 4_294_967_295],
  int32: [-2_147_483_648, 2_147_483_647],
};

function toPixels(values: Float32Array, dataType: DataType, invalid: number): PixelArray {
  const pixels = new ARRAYS[dataType](values.length);
  const limits = INTEGER_LIMITS[dataType];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) pixels[i] = invalid;
    else pixels[i] = limits === undefined ? value : Math.min(Math.max(Math.round(value), limits[0]), limits[1]);
  }
  return pixels;
}

/** imagery.ski: every band and their masks; null when no pixel is valid and the file is not wanted all the same. */
export function picturesSki(job: GridJob): Uint8Array | null {
  const { grid, request } = job;
  const { widthPx, heightPx } = grid;
  const bands: (SkiBand & { readonly scale?: number; readonly offset?: number })[] = [];
  const masks: Uint8Array[] = [];
  let anyValid = false;
  for (const { stored, names, values } of warpedBands(job)) {
    const mask = Uint8Array.from(values, (value) => (Number.isNaN(value) ? 0 : 1));
    masks.push(mask);
    anyValid ||= mask.includes(1);
    const ordered = lowerCaseFirst(names);
    if (stored.dataType.startsWith("float"))
      bands.push({ names: ordered, widthPx, heightPx, ...quantized(values, stored) });
    else bands.push({ names: ordered, widthPx, heightPx, pixels: toPixels(values, stored.dataType, 0) as SkiPixels });
  }
  if (!anyValid && !request.forceDownload) return null;
  const meta = {
    ...request.scene,
    crsEpsg: 3857,
    bands: request.scene.bands.map((band, index) => ({
      ...band,
      ...skiGeoreference(grid),
      names: bands[index]?.names ?? band.names,
      ...(bands[index]?.scale === undefined ? {} : { scale: bands[index].scale, offset: bands[index].offset }),
    })),
  };
  const names = bands.map((band) => band.names[0] ?? "");
  return encodeSki({
    bands: [...bands, ...skiMaskBands(names, masks, widthPx, heightPx)],
    version: String(request.version),
    meta,
  });
}

/** The format has no floating-point pixels: value = scale * pixel + offset. */
function quantized(
  values: Float32Array,
  { statistics }: StoredBand,
): { readonly pixels: SkiPixels; readonly scale: number; readonly offset: number } {
  const offset = statistics.min;
  const scale = statistics.max > offset ? (statistics.max - offset) / 65_535 : 1;
  const levels = values.map((value) => (value - offset) / scale);
  return { pixels: toPixels(levels, "uint16", 0) as SkiPixels, scale, offset };
}

/** `["Red", "red", "r"]` becomes `["red", "Red", "r"]`. */
function lowerCaseFirst(names: readonly string[]): readonly string[] {
  const first = names.find((name) => name === name.toLowerCase());
  return first === undefined ? names : [first, ...names.filter((name) => name !== first)];
}
