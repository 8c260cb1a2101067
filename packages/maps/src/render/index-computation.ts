import { compileFormula, inputAt, type FormulaInput, type FormulaInputs } from "@swath/kernel/bands/formula-evaluator";
import { parseFormula } from "@swath/kernel/bands/formula";
import { powerPerUnit, reflectanceScale } from "@swath/kernel/bands/radiometry";
import { indexBands } from "@swath/kernel/bands/index-bands";
import { kernelWidthPair, PIXEL_SIGMA, type KernelTerm, type SpectralIndex } from "@swath/kernel/bands/spectral-index";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PixelComputation } from "@swath/raster/sample/scene-sampler";
import { namedBands } from "./native-grid.ts";

/** An index made ready for the bands of one scene. */
export interface IndexComputation {
  readonly positions: readonly number[];
  readonly compute: PixelComputation;
  /** Interpretation of the pixel values of the bands. */
  readonly note: string;
}

/** @throws {ServiceError} UNSUPPORTED-IMAGERY when the scene lacks a band */
export function indexComputation(index: SpectralIndex, scene: Scene, raster: StoredRaster): IndexComputation {
  const { positions: bands, missing } = indexBands(index, namedBands(scene, raster.bands));
  if (missing.length > 0) {
    throw new ServiceError(
      "UNSUPPORTED-IMAGERY",
      `${index.id} needs the bands ${missing.join(", ")}, which the scene lacks`,
    );
  }
  const positions = [...new Set(bands.values())];
  const conversions = positions.map((position) => conversionOf(scene, raster, position));
  const evaluate = compileFormula(parseFormula(index.formula));
  const { sigma = PIXEL_SIGMA } = index.parameters;
  const pair = kernelWidthPair(index);
  return {
    positions,
    note: [...new Set(conversions.map((conversion) => conversion.note))].join("; "),
    compute: (windows, target) => {
      const values: Record<string, FormulaInput> = { ...index.parameters };
      const converted = conversions.map(({ convert }, i) => convert(windows[i]!));
      for (const [name, position] of bands) values[name] = converted[positions.indexOf(position)]!;
      const width = sigma === PIXEL_SIGMA && pair !== null ? meanOf(values, pair, target.length) : sigma;
      for (const { name, a, b } of index.kernels) values[name] = gaussian(values, a, b, width, target.length);
      evaluate(values, target);
    },
  };
}

interface Conversion {
  /** May change the pixels. */
  readonly convert: (pixels: Float32Array) => FormulaInput;
  readonly note: string;
}

function conversionOf(scene: Scene, raster: StoredRaster, position: number): Conversion {
  const stored = raster.bands[position]!;
  const band = scene.bands[position]!;
  const scale = reflectanceScale(scene, band, stored);
  if (scale !== null) {
    return { convert: (pixels) => ({ pixels, ...scale }), note: reflectanceNote(scene, band.reflectanceMult) };
  }
  if (stored.quantity === "backscatter-db") {
    return {
      convert: (pixels) => {
        for (let i = 0; i < pixels.length; i++) pixels[i] = 10 ** (pixels[i]! / 10);
        return pixels;
      },
      note: "decibels converted to linear power",
    };
  }
  if (stored.quantity === "backscatter-linear") {
    const mult = powerPerUnit(stored);
    const convert = mult === 1 ? unchanged : (pixels: Float32Array): FormulaInput => ({ pixels, mult, add: 0 });
    return { convert, note: "linear power" };
  }
  return {
    convert: unchanged,
    note: "uncalibrated pixel values: only ratios of bands are meaningful, not indices with constants",
  };
}

function reflectanceNote(scene: Scene, reflectanceMult: number | undefined): string {
  if (reflectanceMult === undefined)
    return "reflectance without coefficients, digital numbers taken as ten-thousandths";
  if (scene.sunElevation === undefined || scene.sunElevation < 5) return "reflectance, not corrected for sun elevation";
  return "reflectance corrected for sun elevation";
}

function unchanged(pixels: Float32Array): FormulaInput {
  return pixels;
}

function meanOf(inputs: FormulaInputs, { a, b }: KernelTerm, count: number): Float64Array {
  const left = inputs[a];
  const right = inputs[b];
  const means = new Float64Array(count);
  for (let i = 0; i < count; i++) means[i] = (inputAt(left, i) + inputAt(right, i)) / 2;
  return means;
}

function gaussian(
  inputs: FormulaInputs,
  a: string,
  b: string,
  width: number | Float64Array,
  count: number,
): Float64Array {
  const left = inputs[a];
  const right = inputs[b];
  const result = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const difference = inputAt(left, i) - inputAt(right, i);
    const sigma = typeof width === "number" ? width : width[i]!;
    result[i] = Math.exp((-difference * difference) / (2 * sigma * sigma));
  }
  return result;
}
