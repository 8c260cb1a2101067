import { planeOf, type OpticalBands, type OpticalParameters } from "../optical/optical-block.ts";

/** Median brightness of land in reflectance, ten-thousandths. */
const USUAL_BRIGHTNESS = 1000;
const MOST_SAMPLED = 100_000;

/**
 * How much stronger small things stand out in a picture than they would in reflectance: 1 in reflectance. Pictures without
 * calibration are stretched so far that their middle brightness is two or three times that of land, and so are roofs and noise.
 */
export function contrastOf(overview: OpticalBands, { scale }: Pick<OpticalParameters, "scale">): number {
  if (scale === 1) return 1;
  const [blue, green, red] = [planeOf(overview, "B"), planeOf(overview, "G"), planeOf(overview, "R")];
  const stride = Math.ceil(overview.valid.length / MOST_SAMPLED);
  const brightness: number[] = [];
  for (let i = 0; i < overview.valid.length; i += stride) {
    if (overview.valid[i] === 1) brightness.push((blue[i]! + green[i]! + red[i]!) / 3);
  }
  const median = brightness.toSorted((a, b) => a - b)[brightness.length >> 1] ?? 0;
  return Math.max(1, median / USUAL_BRIGHTNESS);
}
