import type { OpticalBands } from "../optical/optical-block.ts";
import { blueOrGreen, planeOf } from "../optical/optical-block.ts";
import { BoxWindows } from "../texture/box-sum.ts";
import { coherenceOf, gradientOf } from "../texture/gradient.ts";
import { waterIndices, type PathRadiance } from "../water/path-radiance.ts";
import { FINEST_ROADS_GSD_M } from "./classes.ts";
import { meanOfThree, normalisedDifference, saturationOf } from "../texture/int-plane.ts";
import { TOP_HAT_REACH_PX } from "../texture/top-hat.ts";
import type { Contrast } from "./contrast.ts";
import { roofContrast, SOIL_IN_BLUE, SOIL_IN_GREEN } from "./roof-contrast.ts";

/** Effects of the air between the ground and the sensor. */
export interface SceneLight {
  readonly air: PathRadiance;
  readonly contrast: Contrast;
}

/** What a pixel is classified by: planes in ten-thousandths, `INVALID` where the pixel is. */
export interface LandCoverFeatures {
  readonly ndvi: Int16Array;
  readonly ndwi: Int16Array;
  /** Null without a shortwave infrared band. */
  readonly mndwi: Int16Array | null;
  readonly brightness: Int16Array;
  /** HSV saturation of the visible bands. */
  readonly saturation: Int16Array;
  /**
   * How small and many things around are: at more than 3.2 m the mean contrast of roofs, at finer pixels the mean change
   * of brightness per pixel.
   */
  readonly density: Int16Array;
  /** Of the structure tensor. */
  readonly coherence: Int16Array;
  /**
   * What forests are trained with, in order: bands, indices and texture, but not `density`, which seeds are chosen by: a
   * forest that saw it would learn the rule and nothing else.
   */
  readonly planes: readonly Int16Array[];
  readonly windows: BoxWindows;
}

/** Half windows, pixels. */
export interface Radii {
  /** Texture: 9 x 9 pixels. */
  readonly texture: number;
  /** Context: about 170 m, the size of a block of houses. */
  readonly context: number;
}

const CONTEXT_M = 80;
const LEAST_CONTEXT_PX = 4;
const MOST_CONTEXT_PX = 16;

function radiiFor(gsdM: number): Radii {
  return {
    texture: 4,
    context: Math.max(LEAST_CONTEXT_PX, Math.min(MOST_CONTEXT_PX, Math.round(CONTEXT_M / gsdM))),
  };
}

/** Pixels around that features look at. */
export const FEATURE_REACH_PX = MOST_CONTEXT_PX + TOP_HAT_REACH_PX;

/**
 * @param bands with green, red and near infrared at least
 * @param light light of the air, without which normalised differences are taken, and the contrast that it leaves
 */
export function landCoverFeatures(bands: OpticalBands, light: SceneLight, gsdM: number): LandCoverFeatures {
  const { columns, rows, valid, planes } = bands;
  const blue = blueOrGreen(bands);
  const green = planeOf(bands, "G");
  const red = planeOf(bands, "R");
  const nir = planeOf(bands, "N");
  const swir1 = planes.S1 ?? null;
  const radii = radiiFor(gsdM);
  const windows = new BoxWindows(valid, columns, rows);
  const brightness = meanOfThree(blue, green, red);
  const gradient = gradientOf(brightness, columns, rows);
  const nirGradient = gradientOf(nir, columns, rows);
  const { ndvi, ndwi, green: clearGreen } = waterIndices(bands, light.air);
  if (ndvi === null) throw new RangeError("the plan gave no band R");
  const mndwi = swir1 === null ? null : normalisedDifference(clearGreen, swir1);
  const ndbi = swir1 === null ? null : normalisedDifference(swir1, nir);
  const saturation = saturationOf(blue, green, red);
  const isFine = gsdM <= FINEST_ROADS_GSD_M;
  const density = windows.mean(
    isFine
      ? gradient.magnitude
      : roofContrast(blue, red, columns, rows, light.contrast, planes.B === undefined ? SOIL_IN_GREEN : SOIL_IN_BLUE),
    radii.context,
  );
  const coherence = coherenceOf(gradient, columns, rows, radii.texture);
  const optional = [swir1, planes.S2, planes.RE1, mndwi, ndbi].filter((plane) => plane !== null && plane !== undefined);
  return {
    ndvi,
    ndwi,
    mndwi,
    brightness,
    saturation,
    density,
    coherence,
    planes: [
      blue,
      green,
      red,
      nir,
      ndvi,
      ndwi,
      brightness,
      saturation,
      coherence,
      windows.mean(gradient.magnitude, 1),
      windows.mean(gradient.magnitude, radii.texture),
      windows.mean(nirGradient.magnitude, radii.context),
      windows.deviation(brightness, radii.texture),
      windows.mean(ndvi, radii.context),
      windows.mean(ndwi, 1),
      ...optional,
    ],
    windows,
  };
}
