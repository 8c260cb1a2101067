import { rescaleNearest, rescaleSmooth } from "@swath/kernel/raster-mathematics/rescale";
import { applyAffine, type Affine } from "@swath/kernel/raster-mathematics/affine";
import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import { BytesNeeded } from "@swath/raster/cog/byte-supply";
import type { PixelAccess } from "@swath/raster/sample/scene-sampler";
import { areaRings, ringsMask } from "../render/area-mask.ts";
import { readNativeWindow, type NativeWindow } from "../render/native-window.ts";
import { toPixels } from "../render/pixel-values.ts";
import type { PixelArray } from "@swath/raster/source-raster";
import type { ExportBand, ExportJob } from "./export-job.ts";

/** A band of the image as it is delivered. */
export interface ExportPlane {
  readonly band: StoredBand;
  readonly names: readonly string[];
  readonly widthPx: number;
  readonly heightPx: number;
  readonly geotransform: Affine;
  readonly pixels: PixelArray;
  /** 255 where a pixel has a value. */
  readonly valid: Uint8Array;
  /** 255 where it also lies inside the area that was asked for. */
  readonly mask: Uint8Array;
}

/** Every window of the image; remote blobs are fetched together. */
export function readWindows(access: PixelAccess, job: ExportJob): readonly NativeWindow[] {
  const windows: NativeWindow[] = [];
  for (const { position, window } of job.bands) {
    try {
      windows.push(readNativeWindow(access, job.raster.bands[position]!, window));
    } catch (error) {
      if (!(error instanceof BytesNeeded)) throw error;
    }
  }
  access.supply.demand();
  return windows;
}

/** The bands of the image: rescaled where asked for, otherwise exactly the stored values. */
export function makePlanes(job: ExportJob, windows: readonly NativeWindow[]): readonly ExportPlane[] {
  const masks = new AreaMasks(job);
  return job.bands.map((part, i) => {
    const band = job.raster.bands[part.position]!;
    const geotransform = planeGeotransform(band, part);
    const scaled = rescaled(band, part, windows[i]!);
    const inside = masks.of(geotransform, part.widthPx, part.heightPx);
    const mask = inside === null ? scaled.valid : scaled.valid.map((value, at) => value & inside[at]!);
    const plane = { band, geotransform, widthPx: part.widthPx, heightPx: part.heightPx, mask };
    const names = job.meta.bands[part.position]?.names ?? [`band ${part.position + 1}`];
    if (!job.onlyArea || inside === null) return { ...plane, ...scaled, names };
    const nothing = fillValue(band);
    const pixels = scaled.pixels.map((value, at) => (inside[at] === 0 ? nothing : value));
    return { ...plane, names, pixels, valid: mask };
  });
}

/** Value of pixels without data. */
export function fillValue({ nodata }: StoredBand): number {
  return nodata === "nan" ? Number.NaN : (nodata ?? 0);
}

function planeGeotransform({ geotransform }: StoredBand, { window, widthPx, heightPx }: ExportBand): Affine {
  const [originX, originY] = applyAffine(geotransform, window.x, window.y);
  const pixelX = (geotransform[0] * window.widthPx) / widthPx;
  const pixelY = (geotransform[4] * window.heightPx) / heightPx;
  return [pixelX, 0, originX, 0, pixelY, originY];
}

function rescaled(
  band: StoredBand,
  { widthPx, heightPx }: ExportBand,
  window: NativeWindow,
): { readonly pixels: PixelArray; readonly valid: Uint8Array } {
  if (widthPx === window.widthPx && heightPx === window.heightPx) return window;
  const input = { values: window.pixels, valid: window.valid, widthPx: window.widthPx, heightPx: window.heightPx };
  const isClass = band.quantity === "class" || band.palette !== null;
  const { values, valid } = (isClass ? rescaleNearest : rescaleSmooth)(input, widthPx, heightPx);
  const pixels = toPixels(values, band.dataType, 0);
  const nothing = fillValue(band);
  const isInteger = !band.dataType.startsWith("float");
  for (let i = 0; i < pixels.length; i++) {
    if (valid[i] === 0) pixels[i] = nothing;
    // A mean may come out as the very number that means no data: the next one is nearer to it than nothing.
    else if (isInteger && band.nodata !== null && pixels[i] === nothing) pixels[i] = nothing === 0 ? 1 : nothing - 1;
  }
  return { pixels, valid };
}

/** Which pixels lie inside the area, by grid: bands of one resolution share a mask. */
class AreaMasks {
  readonly #rings: ReturnType<typeof areaRings> | null;
  readonly #masks = new Map<string, Uint8Array>();

  constructor({ area, raster }: ExportJob) {
    this.#rings = area === null ? null : areaRings(area, raster);
  }

  of(geotransform: Affine, widthPx: number, heightPx: number): Uint8Array | null {
    if (this.#rings === null) return null;
    const key = `${geotransform.join(" ")} ${widthPx} ${heightPx}`;
    const known = this.#masks.get(key);
    if (known !== undefined) return known;
    const mask = ringsMask(this.#rings, geotransform, widthPx, heightPx);
    this.#masks.set(key, mask);
    return mask;
  }
}
