import type { PixelArray } from "@swath/raster/source-raster";
import type { ModelBand } from "../scene-model.ts";
import type { SceneContext } from "./scene-context.ts";
import { BLOCK_PX } from "./block.ts";
import { COVER } from "./canvas.ts";
import { quantityOf, warmthOf } from "./environment.ts";
import { seasonOf } from "./geography.ts";
import { COVER_PROBABILITIES, coverProbability, likeliestCover } from "./land-cover.ts";
import { bilinear } from "./node-lattice.ts";
import { isThermal, wavelengthOf } from "./palette.ts";
import { blockOf, planeOf, surfaceOf } from "./scene-context.ts";
import { looksOf, speckle, speckleQuantiles } from "./speckle.ts";
import { hazeAt } from "./spectra.ts";
import { REFLECTANCE_STEPS } from "./surface.ts";
import { halfOf, pairHash, rowHash } from "./texture.ts";

/** Writes the pixels of one row, from `firstColumn` on, where the mask is set. */
export type BlockRow = (row: number, firstColumn: number, mask: Uint8Array, out: PixelArray, at: number) => void;

/** Makes the pixels of one band, block by block. */
export type BandFinisher = (blockColumn: number, blockRow: number) => BlockRow;

export function createBandFinisher(context: SceneContext, bandIndex: number): BandFinisher {
  const { model } = context;
  const band = model.bands[bandIndex]!;
  if (context.view.radar) return radarBand(context, band, bandIndex);
  const quantity = quantityOf(band.meaning);
  if (quantity !== null) return environmentalBand(context, band, quantity);
  if (band.meaning?.startsWith("probability:") === true) return probabilityBand(context, band, band.meaning.slice(12));
  if (band.meaning?.startsWith("label") === true) return probabilityBand(context, band, null);
  if (isThermal(band)) return thermalBand(context, band, bandIndex);
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

/** The integer next to a value, within bounds. */
function within(value: number, low: number, high: number): number {
  if (value <= low) return low;
  return value >= high ? high : Math.floor(value + 0.5);
}

function opticalBand(context: SceneContext, band: ModelBand, bandIndex: number): BandFinisher {
  const { model } = context;
  const corrected = /_SR|_L2|SR_/.test(model.dataset);
  const haze = hazeAt(wavelengthOf(band)) * (corrected ? 0.12 : 1);
  const seed = pixelSeed(context, bandIndex);
  const noise = 0.0035;
  const [low, high] = rangeOf(band);
  const whole = Number.isFinite(high);
  const gain = (1 - haze) / REFLECTANCE_STEPS / band.scale;
  const grain = noise / band.scale;
  const base = (haze - band.offset) / band.scale - 0.5 * grain;
  return (blockColumn, blockRow) => {
    const { values, channels, channel, columns } = surfaceOf(context, band, blockColumn, blockRow);
    const left = blockColumn * BLOCK_PX;
    const top = blockRow * BLOCK_PX;
    return (row, firstColumn, mask, out, at) => {
      let pixel = ((row - top) * columns + firstColumn - left) * channels + channel;
      const hash = rowHash(row, seed);
      let pair = pairHash(hash, firstColumn);
      for (let i = 0; i < mask.length; i += 1, pixel += channels) {
        const column = firstColumn + i;
        if ((column & 1) === 0) pair = pairHash(hash, column);
        if (mask[i] === 0) continue;
        const value = values[pixel]! * gain + base + grain * halfOf(pair, column);
        out[at + i] = whole ? within(value, low, high) : value;
      }
    };
  };
}

function radarBand(context: SceneContext, band: ModelBand, bandIndex: number): BandFinisher {
  const quantiles = speckleQuantiles(context.model.looks ?? looksOf(context.model.datasetType, band.gsdM));
  const seed = pixelSeed(context, bandIndex);
  const [low, high] = rangeOf(band);
  const whole = Number.isFinite(high);
  const { offset } = band;
  const inverse = 1 / band.scale;
  const decibels = band.quantity === "backscatter-db";
  return (blockColumn, blockRow) => {
    const { values, channels, channel, columns } = surfaceOf(context, band, blockColumn, blockRow);
    const left = blockColumn * BLOCK_PX;
    const top = blockRow * BLOCK_PX;
    return (row, firstColumn, mask, out, at) => {
      let pixel = ((row - top) * columns + firstColumn - left) * channels + channel;
      const hash = rowHash(row, seed);
      let pair = pairHash(hash, firstColumn);
      for (let i = 0; i < mask.length; i += 1, pixel += channels) {
        const column = firstColumn + i;
        if ((column & 1) === 0) pair = pairHash(hash, column);
        if (mask[i] === 0) continue;
        const sigma = (values[pixel]! + NOISE_FLOOR) * speckle(quantiles, halfOf(pair, column));
        const physical = decibels ? 10 * Math.log10(sigma) : sigma;
        const value = (physical - offset) * inverse;
        out[at + i] = whole ? within(value, low, high) : value;
      }
    };
  };
}

/** Noise of the instrument, linear: 29 dB below one. Its power varies from look to look like the power of the echo. */
const NOISE_FLOOR = 10 ** -2.9;

type Quantity = NonNullable<ReturnType<typeof quantityOf>>;

function environmentalBand(context: SceneContext, band: ModelBand, quantity: Quantity): BandFinisher {
  const [low, high] = rangeOf(band);
  const whole = Number.isFinite(high);
  return (blockColumn, blockRow) => {
    const block = blockOf(context, band, blockColumn, blockRow);
    const plane = planeOf(context, band, blockColumn, blockRow, () => quantity(context, block, band));
    return (row, firstColumn, mask, out, at) => {
      const from = (row - block.row) * block.columns + firstColumn - block.column;
      for (let i = 0; i < mask.length; i += 1) {
        if (mask[i] === 0) continue;
        const value = (plane[from + i]! - band.offset) / band.scale;
        // Integers have no number for "not measured" except the number for no data.
        if (Number.isNaN(value)) out[at + i] = whole ? 0 : value;
        else out[at + i] = whole ? Math.max(low, Math.min(high, Math.round(value))) : value;
      }
    };
  };
}

/** Probabilities of one class, or the number of the likeliest from 1 on; not known under clouds. */
function probabilityBand(context: SceneContext, band: ModelBand, name: string | null): BandFinisher {
  const wanted = COVER_PROBABILITIES.findIndex((one) => one === name);
  if (name !== null && wanted === -1) throw new RangeError(`land cover has no class "${name}"`);
  // All bands of a scene hesitate alike, or their sum would not be 1.
  const seed = pixelSeed(context, 0);
  const [, high] = rangeOf(band);
  const whole = Number.isFinite(high);
  return (blockColumn, blockRow) => {
    const { columns, rows, cover, cloud } = surfaceOf(context, band, blockColumn, blockRow);
    const left = blockColumn * BLOCK_PX;
    const top = blockRow * BLOCK_PX;
    return (row, firstColumn, mask, out, at) => {
      const hash = rowHash(row, seed);
      for (let i = 0; i < mask.length; i += 1) {
        if (mask[i] === 0) continue;
        const column = firstColumn + i - left;
        if (cloud !== null && cloud[(row - top) * columns + column]! > 100) continue;
        if (name === null) {
          out[at + i] = likeliestCover(cover, (row - top) * columns + column) + 1;
        } else {
          const chance = halfOf(pairHash(hash, firstColumn + i), firstColumn + i);
          const share = coverProbability(cover, columns, rows, column, row - top, chance, wanted);
          const value = (share - band.offset) / band.scale;
          out[at + i] = whole ? Math.max(1, Math.min(high, Math.round(value))) : value;
        }
      }
    };
  };
}

const KELVIN = 273.15;

/** Brightness temperature in kelvin: dry dark ground is hot by day, plants and water are not, cloud tops are cold. */
function thermalBand(context: SceneContext, band: ModelBand, bandIndex: number): BandFinisher {
  const { view } = context;
  const seed = pixelSeed(context, bandIndex);
  const [low, high] = rangeOf(band);
  const whole = Number.isFinite(high);
  const { offset } = band;
  const inverse = 1 / band.scale;
  const heating = 17 * Math.max(0, Math.sin((view.sunElevationDeg * Math.PI) / 180));
  return (blockColumn, blockRow) => {
    const surface = surfaceOf(context, band, blockColumn, blockRow);
    const block = blockOf(context, band, blockColumn, blockRow);
    const warmth = warmthOf(block);
    const season = seasonOf(block.centreLatDeg, view.dayOfYear - 25);
    const { values, channels, channel, columns, cover, cloud } = surface;
    return (row, firstColumn, mask, out, at) => {
      const v = (row - block.row + 0.5) / block.rows;
      const hash = rowHash(row, seed);
      const west = bilinear(warmth, 0, v);
      const east = bilinear(warmth, 1, v);
      for (let i = 0; i < mask.length; i += 1) {
        if (mask[i] === 0) continue;
        const column = firstColumn + i - block.column;
        const pixel = (row - block.row) * columns + column;
        const mean = west + ((east - west) * (column + 0.5)) / columns;
        const heat = values[pixel * channels + channel]! * (1 / REFLECTANCE_STEPS);
        // Slopes in full sun reach 0.9; beyond is fire.
        const heated = heat < 0.9 ? 2 * heat : 1.8 + 25 * (heat - 0.9);
        const wet = cover[pixel] === COVER.water || cover[pixel] === COVER.river;
        let celsius = wet ? mean + 0.5 * season : mean + season + heating * heated;
        if (cloud !== null) celsius -= cloud[pixel]! * (1 / 255) * (celsius + 20);
        const kelvin = celsius + KELVIN + 0.3 * (halfOf(pairHash(hash, firstColumn + i), firstColumn + i) - 0.5);
        const value = (kelvin - offset) * inverse;
        out[at + i] = whole ? within(value, low, high) : value;
      }
    };
  };
}
