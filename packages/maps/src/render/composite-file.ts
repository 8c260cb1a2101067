import { planComposite } from "@swath/kernel/raster-mathematics/composite";
import { skiMaskBands } from "@swath/kernel/ski/mask-bands";
import type { SkiBand } from "@swath/kernel/ski/ski-file";
import type { DataType, StoredBand } from "@swath/kernel/scenes/stored-raster";
import { encodeGeoTiff } from "@swath/raster/encode/geotiff";
import type { SceneSampler } from "@swath/raster/sample/scene-sampler";
import { asSkiPixels, lowerCaseFirst, quantized } from "@swath/raster/encode/ski-pixels";
import { encodeSki } from "@swath/raster/encode/ski";
import { drawComposite, type DrawnImage } from "./composite-image.ts";
import { binaryCoverage, type GridJob, type PixelJob } from "./grid-job.ts";
import { toPixels } from "./pixel-values.ts";
import { skiGeoreference } from "./ski-meta.ts";
import { storedBands } from "./stored-bands.ts";

/** Draws the picture of the scene. */
export function drawPicture(job: PixelJob): DrawnImage {
  if (job.memo?.picture != null) return job.memo.picture;
  const { scene, raster, percentileStretch, stretch: range = null } = job.request;
  const composite = planComposite(scene, raster, { percentile: percentileStretch, range });
  const drawn = drawComposite(job.access, pictureSampler(job), composite, job.coverage);
  if (job.memo === null) return drawn;
  // A kept picture must not be kernel memory.
  job.memo.picture = { ...drawn, rgba: drawn.rgba.slice() };
  return job.memo.picture;
}

interface WarpedBand {
  readonly stored: StoredBand;
  readonly names: readonly string[];
  /** NaN where invalid or outside the released area. */
  readonly values: Float32Array;
}

/** Bands that are resampled together: kernel memory holds no more of them at a time. */
const BANDS_AT_ONCE = 4;

/** Bands of the scene on the output grid, in order. */
export function* warpedBands(job: PixelJob, positions: readonly number[]): Iterable<WarpedBand> {
  const { request, access, sampler, coverage } = job;
  const isWhole = coverage.every((share) => share >= 128);
  sampler.prepare(positions);
  for (let first = 0; first < positions.length; first += BANDS_AT_ONCE) {
    const group = positions.slice(first, first + BANDS_AT_ONCE);
    const sampled = sampledBands(job, group);
    for (const [i, position] of group.entries()) {
      const values = isWhole ? sampled[i]! : sampled[i]!.slice();
      if (!isWhole) for (let at = 0; at < values.length; at++) if (coverage[at]! < 128) values[at] = Number.NaN;
      const names = request.scene.bands[position]?.names ?? [`band ${position + 1}`];
      yield { stored: request.raster.bands[position]!, names, values };
    }
    access.kernel.reset();
  }
}

/** Values of bands beside the released area, too; not kernel memory. */
function sampledBands(job: PixelJob, positions: readonly number[]): readonly Float32Array[] {
  const { access, sampler, coverage, memo, request } = job;
  const values = new Map<number, Float32Array>();
  const missing = positions.filter((position) => memo?.bands.has(position) !== true);
  for (const mode of ["smooth", "nearest"] as const) {
    const group = missing.filter((position) => modeOf(request.raster.bands[position]!) === mode);
    const planes = group.length === 0 ? [] : sampler.sampleBands(group, mode);
    for (const [i, position] of group.entries()) {
      values.set(position, access.kernel.floats(planes[i]!, coverage.length).slice());
    }
  }
  for (const [position, sampled] of values) memo?.bands.set(position, sampled);
  return positions.map((position) => values.get(position) ?? memo!.bands.get(position)!);
}

function modeOf({ palette, quantity }: StoredBand): "smooth" | "nearest" {
  return palette !== null || quantity === "class" ? "nearest" : "smooth";
}

/** Samples bands, or reuses the samples of other files of the window. */
function pictureSampler({ access, sampler, request, memo }: PixelJob): Pick<SceneSampler, "sampleBands"> {
  return {
    sampleBands(positions, mode) {
      const kept = positions.map((position) =>
        modeOf(request.raster.bands[position]!) === mode ? memo?.bands.get(position) : undefined,
      );
      if (!kept.every((values) => values !== undefined)) return sampler.sampleBands(positions, mode);
      return kept.map((values) => {
        const plane = access.kernel.allocateFloats(values.length);
        access.kernel.floats(plane, values.length).set(values);
        return plane;
      });
    },
  };
}

/** analysis.geotiff: the original values of every band, in their type when all bands share it. */
export function bandsGeoTiff(job: PixelJob): Promise<Uint8Array> {
  const { raster } = job.request;
  const dataType = sharedType(raster.bands);
  const isFloat = dataType.startsWith("float");
  const shared = sharedNodata(raster.bands);
  const nodata = isFloat ? Number.NaN : shared;
  const valid = isFloat || nodata !== null ? null : binaryCoverage(job.coverage);
  const read = job.output.isExact === true ? storedBands(job) : warpedBands(job, [...raster.bands.keys()]);
  const bands = [...read].map(({ names, values }) => {
    if (valid !== null) for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i]!)) valid[i] = 0;
    return { description: names[0] ?? "", pixels: toPixels(values, dataType, nodata ?? 0) };
  });
  return encodeGeoTiff({ ...job.frame, bands, nodata, valid, isRgba: false });
}

/** The type of all bands; otherwise one that holds their values as they are. */
export function sharedType(bands: readonly Pick<StoredBand, "dataType">[]): DataType {
  const types = new Set(bands.map(({ dataType }) => dataType));
  const [first] = types;
  if (first !== undefined && types.size === 1) return first;
  // A float32 has 24 bits for whole numbers.
  return types.has("float64") || types.has("int32") || types.has("uint32") ? "float64" : "float32";
}

function sharedNodata(bands: readonly StoredBand[]): number | null {
  const first = bands[0]?.nodata ?? null;
  return typeof first === "number" && bands.every((band) => band.nodata === first) ? first : null;
}

/** 1 where there is a value. */
function knownMask(values: Float32Array): Uint8Array {
  const mask = new Uint8Array(values.length);
  for (let i = 0; i < mask.length; i++) mask[i] = Number.isNaN(values[i]!) ? 0 : 1;
  return mask;
}

/** imagery.ski: every band and their masks; null when no pixel is valid and the file is not wanted all the same. */
export function picturesSki(job: GridJob): Promise<Uint8Array> | null {
  const { grid, request } = job;
  const { widthPx, heightPx } = grid;
  const bands: (SkiBand & { readonly scale?: number; readonly offset?: number })[] = [];
  const masks: Uint8Array[] = [];
  let anyValid = false;
  for (const { stored, names, values } of warpedBands(job, [...request.raster.bands.keys()])) {
    const mask = knownMask(values);
    masks.push(mask);
    anyValid ||= mask.includes(1);
    const ordered = lowerCaseFirst(names);
    const pixels = asSkiPixels(toPixels(values, stored.dataType, 0));
    if (pixels === null) bands.push({ names: ordered, widthPx, heightPx, ...quantized(values, stored.statistics) });
    else bands.push({ names: ordered, widthPx, heightPx, pixels });
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
