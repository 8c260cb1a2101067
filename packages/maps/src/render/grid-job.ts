import { planComposite } from "@swath/kernel/raster-mathematics/composite";
import { polygonCoverage, type MercatorGrid } from "@swath/kernel/raster-mathematics/rasterize";
import { pixelAreasM2 } from "@swath/kernel/raster-mathematics/pixel-area";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import type { GridRequest } from "./grid-renderer.ts";
import { mercatorGeoTiffGrid, type GeoTiffFile } from "@swath/raster/encode/geotiff";
import type { NativeWindow } from "@swath/raster/sample/grid-window";
import {
  gridOfWindow,
  mercatorOutput,
  nativeOutput,
  nativeTransform,
  type OutputGrid,
} from "@swath/raster/sample/output-grid";
import { SceneSampler, type PixelAccess, type PixelSampler } from "@swath/raster/sample/scene-sampler";
import { sceneGeometry } from "@swath/raster/sample/scene-geometry";
import { ringsMask } from "./area-mask.ts";
import type { JobMemo } from "./job-memo.ts";
import type { MosaicSource } from "./mosaic-member.ts";
import { MosaicSampler } from "./mosaic-sampler.ts";

/** One file of pixels being made, on any grid. */
export interface PixelJob {
  readonly access: PixelAccess;
  readonly request: GridRequest;
  /** Where the pixels are, for a GeoTIFF; blocks of a mosaic are compressed as a whole. */
  readonly frame: Pick<GeoTiffFile, "grid" | "stripRows">;
  readonly output: OutputGrid;
  readonly sampler: PixelSampler;
  /** The sampler of a mosaic, which knows the scene of each pixel; absent of maps of one scene. */
  readonly mosaic?: MosaicSampler;
  /** How much of each pixel lies in the released area, 0 to 255. */
  readonly coverage: Uint8Array;
  /** Null for a single file, which reads nothing twice. */
  readonly memo: JobMemo | null;
}

/** One grid file being made, on the Web Mercator plane. */
export interface GridJob extends PixelJob {
  readonly grid: MercatorGrid;
}

/** A job whose file is made on the plane only. @throws {ServiceError} VALIDATION-ERROR for the grid of a raster */
export function onPlane(job: PixelJob | GridJob): GridJob {
  if ("grid" in job) return job;
  throw new ServiceError("VALIDATION-ERROR", `${job.request.fileName} is made on the Web Mercator grid only`);
}

/** Null when the scene has no pixels in the window. */
export function startGridJob(
  access: PixelAccess,
  request: GridRequest,
  window: Exclude<GridRequest["window"], NativeWindow>,
): GridJob | null {
  const { raster, clip } = request;
  const geometry = sceneGeometry(raster);
  const grid = gridOfWindow(window, geometry, finestBand(raster.bands));
  const output = mercatorOutput(grid, geometry);
  if (output.area === null && request.mosaic == null) return null;
  const coverage = clip === null ? new Uint8Array(grid.widthPx * grid.heightPx).fill(255) : polygonCoverage(clip, grid);
  const frame = {
    grid: mercatorGeoTiffGrid(grid),
    ...(window.kind === "grid" ? { stripRows: grid.heightPx } : {}),
  };
  const job = { access, request, frame, grid, output, coverage, memo: null };
  if (request.mosaic == null) return { ...job, sampler: new SceneSampler(access, raster, output) };
  const mosaic = startMosaic(job, request.mosaic);
  return mosaic.reaches ? { ...job, sampler: mosaic, mosaic } : null;
}

function startMosaic(
  { access, request, grid, coverage }: Pick<GridJob, "access" | "coverage" | "grid" | "request">,
  source: MosaicSource,
): MosaicSampler {
  const { scene, raster, rendering } = request;
  const composite = rendering.kind === "composite" ? planComposite(scene, raster, { percentile: false }) : null;
  const isNearest = composite?.kind === "palette" || (composite?.kind === "gray" && composite.nearest);
  const deciding = { positions: composite?.bands ?? [], mode: isNearest ? "nearest" : "smooth" } as const;
  return new MosaicSampler({ access, source, reference: { scene, raster }, grid, coverage, deciding });
}

/**
 * A file on the grid of a band of the raster.
 *
 * @param rings outlines of the released area in the CRS of the raster; null when all pixels count
 */
export function startNativeJob(
  access: PixelAccess,
  request: GridRequest,
  window: NativeWindow,
  rings: readonly (readonly number[])[] | null,
): PixelJob {
  const { raster } = request;
  const { position, widthPx, heightPx, crsEpsg } = window;
  const band = raster.bands[position];
  if (band === undefined) throw new RangeError(`band ${position} of a raster that has ${raster.bands.length}`);
  const geotransform = nativeTransform(window, band);
  const coverage =
    rings === null ? new Uint8Array(widthPx * heightPx).fill(255) : ringsMask(rings, geotransform, widthPx, heightPx);
  const name = crsEpsg === null ? "user-defined" : `EPSG:${crsEpsg}`;
  const crs = { epsg: crsEpsg, proj4: raster.proj4, name, datumShiftKnown: true };
  const output = nativeOutput(window, band);
  const frame = { grid: { widthPx, heightPx, geotransform, crs }, stripRows: heightPx };
  return { access, request, frame, output, coverage, memo: null, sampler: new SceneSampler(access, raster, output) };
}

/** The same job for several files of the window, which share what they sample. */
export function withMemo(job: GridJob): GridJob {
  const none = { layers: new Map(), bands: new Map(), areas: new Map(), polygons: new Map() };
  return { ...job, memo: { ...none, index: null, picture: null } };
}

function finestBand(bands: readonly StoredBand[]): StoredBand {
  return bands.reduce((a, b) => (pixelSize(b) < pixelSize(a) ? b : a));
}

function pixelSize({ geotransform }: StoredBand): number {
  return Math.min(Math.abs(geotransform[0]), Math.abs(geotransform[4]));
}

/** 255 where at least half of the pixel lies in the released area, else 0: classes are not blended. */
export function binaryCoverage(coverage: Uint8Array): Uint8Array {
  const mask = new Uint8Array(coverage.length);
  for (let i = 0; i < mask.length; i++) mask[i] = coverage[i]! >= 128 ? 255 : 0;
  return mask;
}

/** Area of the pixels that have a value, each counted with its share inside the released area, m². */
export function knownAreaM2({ coverage, grid }: GridJob, values: Float32Array): number {
  const weights = new Uint8Array(coverage.length);
  for (let i = 0; i < weights.length; i++) weights[i] = Number.isNaN(values[i]!) ? 0 : coverage[i]!;
  return Number(maskedAreaM2(grid, weights).toFixed(1));
}

/** Area on the ellipsoid of the marked pixels, weighted by `mask / 255`. */
export function maskedAreaM2(grid: MercatorGrid, mask: Uint8Array): number {
  return weightedAreaM2(grid, mask);
}

/** The same with weights of any size. */
export function weightedAreaM2(grid: MercatorGrid, mask: Uint8Array | Float64Array): number {
  const areas = pixelAreasM2(grid.originYM, grid.pixelSizeM, grid.heightPx);
  let total = 0;
  for (let row = 0; row < grid.heightPx; row++) {
    let sum = 0;
    for (let i = row * grid.widthPx; i < (row + 1) * grid.widthPx; i++) sum += mask[i]!;
    total += (sum / 255) * areas[row]!;
  }
  return total;
}
