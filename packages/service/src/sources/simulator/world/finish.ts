import type { PixelArray } from "../../../platform/raster-io/source-raster.ts";
import type { ModelBand } from "../scene-model.ts";
import type { SceneContext } from "./scene-context.ts";
import { hashUnit } from "../noise.ts";
import { ROLE_WAVELENGTH_NM } from "@swath/kernel/bands/role-wavelength";
import { BLOCK_PX } from "./block.ts";
import { surfaceOf } from "./scene-context.ts";
import { looksOf, speckle, speckleQuantiles } from "./speckle.ts";
import { channelWeights, hazeAt } from "./spectra.ts";
import { REFLECTANCE_STEPS } from "./surface.ts";

/** Writes the pixels of one row, from `firstColumn` on, where the mask is set. */
export type BlockRow = (row: number, firstColumn: number, mask: Uint8Array, out: PixelArray, at: number) => void;

/** Makes the pixels of one band, block by block. */
export type BandFinisher = (blockColumn: number, blockRow: number) => BlockRow;

export function createBandFinisher(context: SceneContext, bandIndex: number): BandFinisher {
  const { model } = context;
  const band = model.bands[bandIndex]!;
  if (context.view.radar) return radarBand(context, band, bandIndex);
  return opticalBand(context, band, bandIndex);
}

/** A number from 0 to 1 for a pixel of one band of one scene. */
function pixelSeed(context: SceneContext, bandIndex: number): number {
  let seed = bandIndex + 1;
  for (let i = 0; i < context.model.sceneId.length; i += 1) {
    seed = Math.imul(seed ^ context.model.sceneId.charCodeAt(i), 0x01000193);
  }
  return seed;
}

/** Largest pixel value, and the smallest that is not "no data". */
function rangeOf(band: ModelBand): readonly [number, number] {
  if (band.dataType === "float32" || band.dataType === "float64") return [-Infinity, Infinity];
  const signed = band.dataType.startsWith("i");
  const top = 2 ** (Math.min(band.bitDepth, 32) - (signed ? 1 : 0)) - 1;
  return [signed ? -top : 1, top];
}

function opticalBand(context: SceneContext, band: ModelBand, bandIndex: number): BandFinisher {
  const { model } = context;
  const roleNm = band.role === null ? undefined : ROLE_WAVELENGTH_NM[band.role];
  const wavelengthNm = band.wavelengthNm ?? roleNm ?? 665;
  const weights = channelWeights(band.role, band.wavelengthNm);
  const corrected = /_SR|_L2|SR_/.test(model.dataset);
  const haze = hazeAt(wavelengthNm) * (corrected ? 0.12 : 1);
  const seed = pixelSeed(context, bandIndex);
  const noise = 0.0035;
  const [low, high] = rangeOf(band);
  const whole = Number.isFinite(high);
  const first = weights.findIndex((weight) => weight > 0);
  const last = weights.findLastIndex((weight) => weight > 0);
  return (blockColumn, blockRow) => {
    const surface = surfaceOf(context, band, blockColumn, blockRow);
    const { values, channels, columns } = surface;
    const left = blockColumn * BLOCK_PX;
    const top = blockRow * BLOCK_PX;
    return (row, firstColumn, mask, out, at) => {
      let pixel = ((row - top) * columns + firstColumn - left) * channels;
      for (let i = 0; i < mask.length; i += 1, pixel += channels) {
        if (mask[i] === 0) continue;
        let sum = 0;
        for (let k = first; k <= last; k += 1) sum += values[pixel + k]! * weights[k]!;
        const grain = hashUnit(firstColumn + i, row, seed) - 0.5;
        const reflectance = (sum / REFLECTANCE_STEPS) * (1 - haze) + haze + noise * grain;
        const value = (reflectance - band.offset) / band.scale;
        out[at + i] = whole ? Math.max(low, Math.min(high, Math.round(value))) : value;
      }
    };
  };
}

function radarBand(context: SceneContext, band: ModelBand, bandIndex: number): BandFinisher {
  const cross = band.role === "VH" || band.role === "HV";
  const quantiles = speckleQuantiles(looksOf(context.model.datasetType, Math.abs(band.gsdM)));
  const seed = pixelSeed(context, bandIndex);
  const [low, high] = rangeOf(band);
  const whole = Number.isFinite(high);
  const decibels = band.quantity === "backscatter-db";
  return (blockColumn, blockRow) => {
    const surface = surfaceOf(context, band, blockColumn, blockRow);
    const { values, channels, columns } = surface;
    const left = blockColumn * BLOCK_PX;
    const top = blockRow * BLOCK_PX;
    const channel = cross ? 1 : 0;
    return (row, firstColumn, mask, out, at) => {
      let pixel = ((row - top) * columns + firstColumn - left) * channels + channel;
      for (let i = 0; i < mask.length; i += 1, pixel += channels) {
        if (mask[i] === 0) continue;
        const sigma = values[pixel]! * speckle(quantiles, hashUnit(firstColumn + i, row, seed)) + NOISE_FLOOR;
        const physical = decibels ? 10 * Math.log10(sigma) : sigma;
        const value = (physical - band.offset) / band.scale;
        out[at + i] = whole ? Math.max(low, Math.min(high, Math.round(value))) : value;
      }
    };
  };
}

/** Noise of the instrument, linear: 26 dB below one. */
const NOISE_FLOOR = 10 ** -2.9;
