import { planComposite } from "@swath/kernel/raster/composite";
import { skiMaskBands } from "@swath/kernel/ski/mask-bands";
import type { SkiBand } from "@swath/kernel/ski/ski-file";
import type { DataType, StoredBand } from "@swath/kernel/scenes/stored-raster";
import { encodeGeoTiff } from "../encode/geotiff.ts";
import { asSkiPixels, lowerCaseFirst, quantized } from "../encode/ski-pixels.ts";
import { encodeSki } from "../encode/ski.ts";
import { drawComposite, type DrawnImage } from "./composite-image.ts";
import { binaryCoverage, geoTiffFrame, type GridJob } from "./grid-job.ts";
import { toPixels } from "./pixel-values.ts";
import { skiGeoreference } from "./ski-meta.ts";

/** Draws the picture of the scene. */
export function drawPicture(job: GridJob): DrawnImage {
  if (job.memo?.picture != null) return job.memo.picture;
  const { scene, raster, percentileStretch } = job.request;
  const composite = planComposite(scene, raster, { percentile: percentileStretch });
  const drawn = drawComposite(job.access, job.sampler, composite, job.coverage);
  if (job.memo === null) return drawn;
  // What is kept must not be kernel memory.
  job.memo.picture = { ...drawn, rgba: drawn.rgba.slice() };
  return job.memo.picture;
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
    const names = request.scene.bands[position]?.names ?? [`band ${position + 1}`];
    const kept = job.memo?.bands.get(position);
    if (kept !== undefined) {
      yield { stored, names, values: kept };
      continue;
    }
    const mode = stored.palette !== null || stored.quantity === "class" ? "nearest" : "smooth";
    const [plane] = sampler.sampleBands([position], mode);
    const values = access.kernel.floats(plane!, coverage.length).slice();
    for (let i = 0; i < values.length; i++) if (coverage[i]! < 128) values[i] = Number.NaN;
    job.memo?.bands.set(position, values);
    yield { stored, names, values };
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
  return encodeGeoTiff({ ...geoTiffFrame(job), bands, nodata, valid, isRgba: false });
}

function sharedNodata(bands: readonly StoredBand[]): number | null {
  const first = bands[0]?.nodata ?? null;
  return typeof first === "number" && bands.every((band) => band.nodata === first) ? first : null;
}

/** imagery.ski: every band and their masks; null when no pixel is valid and the file is not wanted all the same. */
export function picturesSki(job: GridJob): Uint8Array | null {
  const { grid, request } = job;
  const { widthPx, heightPx } = grid;
  const bands: (SkiBand & { readonly scale?: number; readonly offset?: number })[] = [];
  const masks: Uint8Array[] = [];
  let anyValid = false;
  for (const { stored, names, values } of warpedBands(job)) {
    const mask = new Uint8Array(values.length);
    for (let i = 0; i < mask.length; i++) mask[i] = Number.isNaN(values[i]!) ? 0 : 1;
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
