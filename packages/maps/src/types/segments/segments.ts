import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult } from "../../analysis/block.ts";
import {
  opticalBands,
  type OpticalParameters,
  planeOf,
  processingOffset,
  type OpticalBands,
} from "../../analysis/optical/optical-block.ts";
import { INVALID, meanOfThree, STEPS } from "../../analysis/texture/int-plane.ts";
import { CLUSTER_REACH_PX, clusterPixels, NO_SEED, STEPS_PER_UNIT, type Features } from "./cluster-pixels.ts";
import { connectSegments, CONNECTION_REACH_PX } from "./connect-segments.ts";
import { MERGE_REACH_PX, mergeSegments } from "./merge-segments.ts";
import { cropped, windowAround } from "./pixel-window.ts";
import { latticeIn, seedLattice, SPACING_PX } from "./seed-lattice.ts";
import { segmentObjects } from "./segment-objects.ts";
import { segmentSums } from "./segment-properties.ts";

/** Pixel values. */
export const INSIDE = 1;
export const BOUNDARY = 2;

interface SegmentsModel {
  readonly offset: number;
  /** Of each band over the scene, ten-thousandths. */
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  /** Brightness of the lowest and the highest grey level, ten-thousandths. */
  readonly darkest: number;
  readonly brightest: number;
  /** Seeds across the whole grid, with those outside of its edges. */
  readonly seedsAcross: number;
}

/** One standard deviation counts as ten units of CIELAB, about what it is in pictures: the compactness of 10 is meant for these. */
const UNITS_PER_DEVIATION = 10;
const MOST_DEVIATIONS = 12;
const LEVELS = 32;
const LEVEL_SHARE = 0.01;
const MOST_SAMPLED = 200_000;
const MIN_DEVIATION = 10;

/** How far apart pixels of one segment lie: its seeds, and a cell on both sides. One pixel more tells where its outline is. */
const MERGED_REACH_PX = MERGE_REACH_PX + 2 * SPACING_PX + 1;

/** How far from a pixel lie those that decide what is said of it, and of the object whose middle it is. */
export const SEGMENTS_MARGIN_PX = MERGED_REACH_PX + CONNECTION_REACH_PX + CLUSTER_REACH_PX;

function brightnessOf(bands: OpticalBands): Int16Array {
  return meanOfThree(planeOf(bands, "B"), planeOf(bands, "G"), planeOf(bands, "R"));
}

function survey(surveyed: AnalysisSurvey, parameters: OpticalParameters): SegmentsModel {
  const offset = processingOffset(surveyed, 0, parameters);
  const bands = opticalBands(surveyed.overview, 0, parameters, offset);
  const means: number[] = [];
  const deviations: number[] = [];
  for (const role of parameters.roles) {
    const plane = planeOf(bands, role);
    let [count, sum, squares] = [0, 0, 0];
    for (let i = 0; i < plane.length; i++) {
      if (bands.valid[i] === 0) continue;
      count++;
      sum += plane[i]!;
      squares += plane[i]! * plane[i]!;
    }
    const mean = count === 0 ? 0 : sum / count;
    means.push(mean);
    deviations.push(Math.max(MIN_DEVIATION, count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean))));
  }
  const brightness = brightnessOf(bands);
  const stride = Math.ceil(brightness.length / MOST_SAMPLED);
  const sample = brightness.filter((value, i) => i % stride === 0 && value !== INVALID).toSorted();
  const at = (share: number): number => sample[Math.floor(share * (sample.length - 1))] ?? 0;
  return {
    offset,
    means,
    deviations,
    darkest: at(LEVEL_SHARE),
    brightest: at(1 - LEVEL_SHARE),
    seedsAcross: Math.ceil(parameters.gridColumns / SPACING_PX) + 2,
  };
}

/** Deviations from the scene's mean, ten units of colour each. */
function featuresOf(bands: OpticalBands, roles: readonly string[], { means, deviations }: SegmentsModel): Features {
  const { columns, rows, valid } = bands;
  const values = new Int16Array(valid.length * roles.length);
  const most = MOST_DEVIATIONS * UNITS_PER_DEVIATION * STEPS_PER_UNIT;
  for (const [b, plane] of Object.values(bands.planes).entries()) {
    const factor = (UNITS_PER_DEVIATION * STEPS_PER_UNIT) / deviations[b]!;
    for (let i = 0; i < valid.length; i++) {
      if (valid[i] === 0) continue;
      const value = Math.floor((plane[i]! - means[b]!) * factor + 0.5);
      values[i * roles.length + b] = Math.max(-most, Math.min(most, value));
    }
  }
  return { columns, rows, valid, bands: roles.length, values };
}

function levelsOf(brightness: Int16Array, { darkest, brightest }: SegmentsModel): Uint8Array {
  const factor = LEVELS / Math.max(1, brightest - darkest);
  const levels = new Uint8Array(brightness.length);
  for (let i = 0; i < levels.length; i++) {
    levels[i] = Math.max(0, Math.min(LEVELS - 1, Math.floor((brightness[i]! - darkest) * factor)));
  }
  return levels;
}

function compute(block: AnalysisBlock, model: SegmentsModel, parameters: OpticalParameters): BlockResult {
  const { rect, core } = block;
  const all = opticalBands(block, 0, parameters, model.offset);
  const classes = new Uint8Array(rect.columns * rect.rows);
  const numbers = new Float32Array(classes.length).fill(Number.NaN);
  const means = new Float32Array(classes.length).fill(Number.NaN);
  if (!all.valid.includes(1)) return { layers: [classes, numbers, means], objects: [] };
  const lattice = seedLattice(rect);
  const everything = featuresOf(all, parameters.roles, model);
  // Each step needs less around the core than the one before.
  const clustered = windowAround(rect, core, MERGED_REACH_PX + CONNECTION_REACH_PX);
  const labels = cropped(clusterPixels(everything, lattice), rect, clustered);
  connectSegments(labels, clustered.columns, latticeIn(lattice, rect, clustered));
  const window = windowAround(rect, core, MERGED_REACH_PX);
  const { columns, rows } = window;
  const segments = cropped(labels, clustered, window);
  const features: Features = {
    columns,
    rows,
    bands: everything.bands,
    valid: cropped(everything.valid, rect, window),
    values: cropped(everything.values, rect, window, everything.bands),
  };
  const planes = Object.entries(all.planes).map(([role, plane]) => [role, cropped(plane, rect, window)]);
  const bands: OpticalBands = { columns, rows, valid: features.valid, planes: Object.fromEntries(planes) };
  const joined = mergeSegments(segments, features, lattice);
  for (let i = 0; i < segments.length; i++) if (segments[i] !== NO_SEED) segments[i] = joined[segments[i]!]!;
  const brightness = brightnessOf(bands);
  const sums = segmentSums(segments, bands, levelsOf(brightness, model), lattice.seedsX * lattice.seedsY);
  const numberOf = (seed: number): number => {
    const x = lattice.firstX + (seed % lattice.seedsX) + 1;
    const y = lattice.firstY + Math.floor(seed / lattice.seedsX) + 1;
    return y * model.seedsAcross + x + 1;
  };
  const visible = ["B", "G", "R"].map((role) => sums.sums[sums.roles.findIndex((one) => one === role)]!);
  const mean = sums.count.map(
    (count, segment) => visible.reduce((sum, plane) => sum + plane[segment]!, 0) / (3 * count * STEPS),
  );
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!;
    if (segment === NO_SEED) continue;
    const row = Math.floor(i / columns);
    const column = i - row * columns;
    const right = column === columns - 1 ? segment : segments[i + 1]!;
    const below = row === rows - 1 ? segment : segments[i + columns]!;
    const at = (window.row - rect.row + row) * rect.columns + window.column - rect.column + column;
    numbers[at] = numberOf(segment);
    means[at] = mean[segment]!;
    classes[at] = right === segment && below === segment ? INSIDE : BOUNDARY;
  }
  return {
    layers: [classes, numbers, means],
    objects: segmentObjects({ ...block, rect: window }, segments, sums, numberOf),
  };
}

function reflectance(value: number): number {
  return Number((value / STEPS).toFixed(5));
}

function describe({ offset, means, deviations, darkest, brightest }: SegmentsModel): Readonly<Record<string, unknown>> {
  return {
    bandMeans: means.map(reflectance),
    bandDeviations: deviations.map(reflectance),
    greyLevels: [reflectance(darkest), reflectance(brightest), LEVELS],
    processingOffset: offset,
  };
}

/** Superpixels of one optical scene joined to segments of even colour, with their statistics. */
export const segments: BlockAlgorithm<OpticalParameters, SegmentsModel> = { survey, compute, describe };
