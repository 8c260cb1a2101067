import { COVER } from "./canvas.ts";

/** Classes of the ground truth; a pixel's value is the index, `NO_TRUTH` outside the footprint. */
export const WORLD_CLASSES = ["water", "roads", "urban", "nonurban", "clouds", "snow", "burned"] as const;
export const NO_TRUTH = 255;

/** Classes of a land-cover probability product, in the order of its bands. */
export const COVER_PROBABILITIES = [
  "water",
  "trees",
  "grass",
  "flooded_vegetation",
  "crops",
  "shrub_and_scrub",
  "built",
  "bare",
  "snow_and_ice",
] as const;

const TRUTH_OF_COVER = new Uint8Array(16).fill(3);
TRUTH_OF_COVER[COVER.water] = 0;
TRUTH_OF_COVER[COVER.river] = 0;
TRUTH_OF_COVER[COVER.road] = 1;
TRUTH_OF_COVER[COVER.built] = 2;
TRUTH_OF_COVER[COVER.snow] = 5;
TRUTH_OF_COVER[COVER.burned] = 6;

export function truthOfCover(cover: number): number {
  return TRUTH_OF_COVER[cover]!;
}

const PROBABILITY_OF_COVER = new Uint8Array(16).fill(7);
PROBABILITY_OF_COVER[COVER.water] = 0;
PROBABILITY_OF_COVER[COVER.river] = 0;
PROBABILITY_OF_COVER[COVER.trees] = 1;
PROBABILITY_OF_COVER[COVER.grass] = 2;
PROBABILITY_OF_COVER[COVER.wetland] = 3;
PROBABILITY_OF_COVER[COVER.crops] = 4;
PROBABILITY_OF_COVER[COVER.shrub] = 5;
PROBABILITY_OF_COVER[COVER.burned] = 5;
PROBABILITY_OF_COVER[COVER.built] = 6;
PROBABILITY_OF_COVER[COVER.road] = 6;
PROBABILITY_OF_COVER[COVER.snow] = 8;

const CLASSES = COVER_PROBABILITIES.length;
/** Steps of the chance of a pixel, by which its doubts are tabulated. */
const STEPS = 1024;
const NEIGHBOUR = 0.12;

/** Votes that a class gets without a reason, per step of chance, and the sum of all votes at a pixel. */
const doubts = new Float64Array(STEPS * CLASSES);
const totals = new Float64Array(STEPS);
for (let step = 0; step < STEPS; step += 1) {
  const chance = (step + 0.5) / STEPS;
  let total = sureOf(step) + 4 * NEIGHBOUR;
  for (let k = 0; k < CLASSES; k += 1) {
    const doubt = 0.012 + 0.05 * ((chance * (k + 1) * 7.31) % 1);
    doubts[step * CLASSES + k] = doubt;
    total += doubt;
  }
  totals[step] = total;
}

/** Votes of a pixel's own cover. */
function sureOf(step: number): number {
  return 0.75 + 0.7 * ((step + 0.5) / STEPS);
}

/**
 * Probability of one class at a pixel, from the cover of the pixel and its neighbours, as a classifier would hesitate.
 * The probabilities of all classes sum to 1.
 *
 * @param chance a number from 0 to 1 of the pixel's own
 */
export function coverProbability(
  covers: Uint8Array,
  columns: number,
  rows: number,
  column: number,
  row: number,
  chance: number,
  wanted: number,
): number {
  const step = Math.min(STEPS - 1, Math.floor(chance * STEPS));
  const pixel = row * columns + column;
  let votes = doubts[step * CLASSES + wanted]!;
  if (PROBABILITY_OF_COVER[covers[pixel]!] === wanted) votes += sureOf(step);
  // Where the block ends, a pixel is its own neighbour.
  if (PROBABILITY_OF_COVER[covers[column > 0 ? pixel - 1 : pixel]!] === wanted) votes += NEIGHBOUR;
  if (PROBABILITY_OF_COVER[covers[column + 1 < columns ? pixel + 1 : pixel]!] === wanted) votes += NEIGHBOUR;
  if (PROBABILITY_OF_COVER[covers[row > 0 ? pixel - columns : pixel]!] === wanted) votes += NEIGHBOUR;
  if (PROBABILITY_OF_COVER[covers[row + 1 < rows ? pixel + columns : pixel]!] === wanted) votes += NEIGHBOUR;
  return votes / totals[step]!;
}

/** The class with the highest probability: the cover of the pixel, which outvotes its neighbours and doubts. */
export function likeliestCover(covers: Uint8Array, pixel: number): number {
  return PROBABILITY_OF_COVER[covers[pixel]!]!;
}
