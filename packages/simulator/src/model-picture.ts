import type { RgbaImage } from "@swath/raster/encode/image";
import type { PixelArray } from "@swath/raster/source-raster";
import type { ModelBand, SceneModel } from "./scene-model.ts";
import { drawRows } from "./world/render.ts";

const GAMMA = 1 / 1.4;
/** Reflectance drawn white, as in the service's default stretch. */
const WHITE_REFLECTANCE = 0.3;
const RADAR_DB = [-22, 0] as const;

/** Units of a measured band that are drawn black and white. */
const RANGES: Readonly<Record<string, readonly [black: number, white: number]>> = {
  "precipitation-mm-per-h": [0, 8],
  "methane-ppb": [1700, 1950],
  "night-lights-nw-per-cm2-sr": [0, 25],
  "cloud-free-observations": [0, 20],
  "brightness-temperature-kelvin": [250, 320],
};

/** A scene drawn small: red, green and blue where it has them, else its first band in grey. Empty ground is transparent. */
export function pictureOf(model: SceneModel, longestSidePx: number): RgbaImage {
  const small = reduced(model, longestSidePx);
  const of = (role: string): number => small.bands.findIndex((band) => band.role === role);
  const colours = [of("R"), of("G"), of("B")];
  const indexes = colours.every((index) => index >= 0) ? colours : [0, 0, 0];
  const [first] = small.bands;
  const widthPx = first?.widthPx ?? 1;
  const heightPx = first?.heightPx ?? 1;
  const drawn = new Map<number, PixelArray>();
  for (const index of indexes) {
    if (!drawn.has(index)) drawn.set(index, drawRows(small, index, 0, 0, widthPx, heightPx));
  }
  const data = new Uint8Array(widthPx * heightPx * 4);
  for (const [channel, index] of indexes.entries()) {
    const pixels = drawn.get(index);
    const band = small.bands[index];
    if (pixels === undefined || band === undefined) continue;
    for (let i = 0; i < widthPx * heightPx; i += 1) {
      const pixel = pixels[i] ?? 0;
      const isEmpty = band.dataType === "float32" ? Number.isNaN(pixel) : pixel === 0;
      if (isEmpty) continue;
      data[i * 4 + channel] = Math.round(255 * brightness(band, pixel * band.scale + band.offset));
      data[i * 4 + 3] = 255;
    }
  }
  return { data, widthPx, heightPx };
}

function brightness(band: ModelBand, value: number): number {
  if (band.quantity === "reflectance") return clamp(value / WHITE_REFLECTANCE) ** GAMMA;
  if (band.quantity === "backscatter-linear") {
    const [black, white] = RADAR_DB;
    return clamp((10 * Math.log10(Math.max(value, 1e-5)) - black) / (white - black));
  }
  const [black, white] = RANGES[band.meaning ?? ""] ?? [0, 1];
  return clamp((value - black) / (white - black));
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}

/** The same scene with larger pixels, all bands on one grid. */
function reduced(model: SceneModel, longestSidePx: number): SceneModel {
  const [first] = model.bands;
  if (first === undefined) return model;
  const groundX = first.widthPx * first.pixelSizeX;
  const groundY = -first.heightPx * first.pixelSizeY;
  const pixelSize = Math.max(Math.max(groundX, groundY) / longestSidePx, first.pixelSizeX);
  const widthPx = Math.max(1, Math.min(Math.round(groundX / pixelSize), longestSidePx));
  const heightPx = Math.max(1, Math.min(Math.round(groundY / pixelSize), longestSidePx));
  return {
    ...model,
    // Drawn at another size it is another scene to whoever keeps what was drawn.
    sceneId: `${model.sceneId}#${widthPx}x${heightPx}`,
    bands: model.bands.map((band): ModelBand => ({
      ...band,
      widthPx,
      heightPx,
      gsdM: (band.gsdM * pixelSize) / band.pixelSizeX,
      originX: first.originX,
      originY: first.originY,
      pixelSizeX: groundX / widthPx,
      pixelSizeY: -groundY / heightPx,
    })),
  };
}
