import { darkest } from "../water/path-radiance.ts";
import { blueOrGreen, planeOf, type OpticalBands, type OpticalParameters } from "../optical/optical-block.ts";

/** Contrast of small things in a picture over their contrast in surface reflectance. */
export interface Contrast {
  /** In green where there is no blue. */
  readonly blue: number;
  readonly red: number;
}

/** Median brightness of land in reflectance, ten-thousandths. */
const USUAL_BRIGHTNESS = 1000;
const MOST_SAMPLED = 100_000;
/** The darkest ground in blue, and the light of clear air above it at the top of the atmosphere, ten-thousandths. */
const DARK_BLUE = 300;
const AIR_BLUE = 500;
/** Contrast that the air leaves: the scene 433D_629L_3_1 at the top of the atmosphere over its surface reflectance. */
const THROUGH_AIR: Contrast = { blue: 0.62, red: 0.76 };

/**
 * The contrast of a scene. Air scatters blue the most, and adds it to the darkest ground. Pictures without calibration
 * are stretched to two or three times the middle brightness of land, and their roofs and noise with them.
 */
export function contrastOf(overview: OpticalBands, { scale }: Pick<OpticalParameters, "scale">): Contrast {
  const blue = blueOrGreen(overview);
  if (scale !== 1) {
    const stretch = Math.max(1, medianBrightness(overview) / USUAL_BRIGHTNESS);
    return { blue: stretch, red: stretch };
  }
  const air = Math.min(1, Math.max(0, (darkest(blue, overview.valid) - DARK_BLUE) / AIR_BLUE));
  return { blue: 1 - air * (1 - THROUGH_AIR.blue), red: 1 - air * (1 - THROUGH_AIR.red) };
}

function medianBrightness(overview: OpticalBands): number {
  const [blue, green, red] = [blueOrGreen(overview), planeOf(overview, "G"), planeOf(overview, "R")];
  const stride = Math.ceil(overview.valid.length / MOST_SAMPLED);
  const brightness: number[] = [];
  for (let i = 0; i < overview.valid.length; i += stride) {
    if (overview.valid[i] === 1) brightness.push((blue[i]! + green[i]! + red[i]!) / 3);
  }
  return brightness.toSorted((a, b) => a - b)[brightness.length >> 1] ?? 0;
}
