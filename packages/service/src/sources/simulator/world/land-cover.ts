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

const votes = new Float64Array(COVER_PROBABILITIES.length);

/**
 * Probabilities of the classes at a pixel, from what covers it and its neighbours, as a classifier would hesitate.
 * They sum to 1; read them before the next call.
 *
 * @param chance a number from 0 to 1 of the pixel's own
 */
export function coverProbabilities(
  covers: Uint8Array,
  columns: number,
  rows: number,
  column: number,
  row: number,
  chance: number,
): Float64Array {
  let total = 0;
  for (let k = 0; k < votes.length; k += 1) {
    const doubt = 0.012 + 0.05 * ((chance * (k + 1) * 7.31) % 1);
    votes[k] = doubt;
    total += doubt;
  }
  const pixel = row * columns + column;
  const sure = 0.75 + 0.7 * chance;
  votes[PROBABILITY_OF_COVER[covers[pixel]!]!]! += sure;
  total += sure;
  for (let side = 0; side < 4; side += 1) {
    const i = Math.max(0, Math.min(columns - 1, column + (side === 0 ? -1 : side === 1 ? 1 : 0)));
    const j = Math.max(0, Math.min(rows - 1, row + (side === 2 ? -1 : side === 3 ? 1 : 0)));
    votes[PROBABILITY_OF_COVER[covers[j * columns + i]!]!]! += 0.12;
    total += 0.12;
  }
  for (let k = 0; k < votes.length; k += 1) votes[k]! /= total;
  return votes;
}
