import type { AnalysisBlock } from "../block.ts";
import type { OpticalBands, OpticalParameters } from "../optical/optical-block.ts";
import { opticalBands } from "../optical/optical-block.ts";
import { MASK_CLEAR, MASK_CLOUD, MASK_SHADOW, MASK_SNOW, MASK_THIN } from "./cloud-model.ts";

/** How pixels of a thermal band become kelvin: `a = mult * P + add`, and `k2 / ln(k1 / a + 1)` where there are constants. */
export interface KelvinScale {
  readonly mult: number;
  readonly add: number;
  /** Null where `a` is kelvin already. */
  readonly k1: number | null;
  readonly k2: number | null;
}

/** Planes that come after those of the roles, as stored: first the scene classification, then the thermal band. */
export interface CompanionParameters {
  /** Whether the product brings its own classification along: SCL of Sentinel-2. */
  readonly classification: boolean;
  readonly thermal: KelvinScale | null;
}

/** The block without the planes that are no reflectance. */
export function reflectanceOf<Block extends Pick<AnalysisBlock, "scenes">>(
  block: Block,
  { roles }: Pick<OpticalParameters, "roles">,
): Block {
  return { ...block, scenes: block.scenes.map((planes) => planes.slice(0, roles.length)) };
}

/** Bands of reflectance, with the thermal one in hundredths of kelvin where there is one. */
export function bandsWithThermal(
  block: AnalysisBlock,
  parameters: OpticalParameters & CompanionParameters,
  offset: number,
): OpticalBands {
  const { classification, thermal } = parameters;
  const bands = opticalBands(reflectanceOf(block, parameters), 0, parameters, offset);
  const plane = block.scenes[0]?.[parameters.roles.length + (classification ? 1 : 0)];
  if (thermal === null || plane === undefined) return bands;
  return { ...bands, planes: { ...bands.planes, T: hundredthsOfKelvin(plane, thermal) } };
}

const HOTTEST = 32_767;

/** 0 where it is not known. */
function hundredthsOfKelvin(plane: Float32Array, { mult, add, k1, k2 }: KelvinScale): Int16Array {
  const values = new Int16Array(plane.length);
  for (let i = 0; i < values.length; i++) {
    const a = mult * plane[i]! + add;
    const kelvin = k1 === null || k2 === null ? a : k2 / Math.log(k1 / a + 1);
    values[i] = kelvin > 0 ? Math.min(HOTTEST, Math.round(100 * kelvin)) : 0;
  }
  return values;
}

/**
 * Classes of Sentinel-2's scene classification as those of the mask: 3 is shadow of clouds, 8 and 9 are clouds, 10 is thin
 * cirrus, 11 snow; 0 is no data and 1 a defective pixel.
 */
const OF_SCENE_CLASS: Readonly<Record<number, number>> = {
  0: 0,
  1: 0,
  3: MASK_SHADOW,
  8: MASK_CLOUD,
  9: MASK_CLOUD,
  10: MASK_THIN,
  11: MASK_SNOW,
};

/** The mask that the product says. */
export function maskOfClassification(plane: Float32Array): Uint8Array {
  const mask = new Uint8Array(plane.length);
  for (let i = 0; i < mask.length; i++) {
    const value = plane[i]!;
    if (value === value) mask[i] = OF_SCENE_CLASS[value] ?? MASK_CLEAR;
  }
  return mask;
}
