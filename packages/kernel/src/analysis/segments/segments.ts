import { pixelsRectangle } from "../../raster/min-area-rectangle.ts";
import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult, FoundObject, Parameters } from "../block.ts";
import {
  opticalBands,
  opticalParameters,
  planeOf,
  processingOffset,
  type OpticalBands,
} from "../optical/optical-block.ts";
import { INVALID, meanOf, STEPS } from "../texture/int-plane.ts";
import { CLUSTER_REACH_PX, clusterPixels, NO_SEED, STEPS_PER_UNIT, type Features } from "./cluster-pixels.ts";
import { connectSegments, CONNECTION_REACH_PX, SEGMENT_REACH_PX } from "./connect-segments.ts";
import { MERGE_REACH_PX, mergeSegments } from "./merge-segments.ts";
import { seedLattice, SPACING_PX } from "./seed-lattice.ts";
import { segmentProperties, segmentSums, type SegmentSums } from "./segment-properties.ts";

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

/** How far from a pixel lie those that decide which segment it is of, and the pixels of an object from its middle. */
export const SEGMENTS_MARGIN_PX = 2 * SEGMENT_REACH_PX + MERGE_REACH_PX + CONNECTION_REACH_PX + CLUSTER_REACH_PX + 1;

function brightnessOf(bands: OpticalBands): Int16Array {
  return meanOf([planeOf(bands, "B"), planeOf(bands, "G"), planeOf(bands, "R")]);
}

function survey(surveyed: AnalysisSurvey, given: Parameters): SegmentsModel {
  const parameters = opticalParameters(given);
  // What haze does to visible bands looks like an offset; shortwave infrared tells them apart.
  const offset = parameters.roles.includes("S1") ? processingOffset(surveyed, 0, parameters) : 0;
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
  return Uint8Array.from(brightness, (value) =>
    Math.max(0, Math.min(LEVELS - 1, Math.floor((value - darkest) * factor))),
  );
}

/** Part of a block, in its pixels. */
interface Window {
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
}

type Plane = Int16Array | Int32Array | Uint8Array;

/** @param width values per pixel */
function cropped<P extends Plane>(plane: P, stride: number, { left, top, columns, rows }: Window, width = 1): P {
  const result = plane.slice(0, columns * rows * width) as P;
  for (let row = 0; row < rows; row++) {
    const start = ((top + row) * stride + left) * width;
    result.set(plane.subarray(start, start + columns * width), row * columns * width);
  }
  return result;
}

/** Once pixels are clustered, those that only mattered for that are left out. */
function decidedWindow({ rect, core }: AnalysisBlock): Window {
  const reach = SEGMENTS_MARGIN_PX - CLUSTER_REACH_PX;
  const left = Math.max(0, core.column - reach - rect.column);
  const top = Math.max(0, core.row - reach - rect.row);
  const right = Math.min(rect.columns, core.column + core.columns + reach - rect.column);
  const below = Math.min(rect.rows, core.row + core.rows + reach - rect.row);
  return { left, top, columns: right - left, rows: below - top };
}

function compute(block: AnalysisBlock, model: SegmentsModel, given: Parameters): BlockResult {
  const parameters = opticalParameters(given);
  const stride = block.rect.columns;
  const all = opticalBands(block, 0, parameters, model.offset);
  const classes = new Uint8Array(stride * block.rect.rows);
  const numbers = new Float32Array(classes.length).fill(Number.NaN);
  const means = new Float32Array(classes.length).fill(Number.NaN);
  if (!all.valid.includes(1)) return { layers: [classes, numbers, means], objects: [] };
  const lattice = seedLattice(block.rect);
  const seeds = lattice.seedsX * lattice.seedsY;
  const everything = featuresOf(all, parameters.roles, model);
  const window = decidedWindow(block);
  const { columns, rows } = window;
  const segments = cropped(clusterPixels(everything, lattice), stride, window);
  const features: Features = {
    columns,
    rows,
    bands: everything.bands,
    valid: cropped(everything.valid, stride, window),
    values: cropped(everything.values, stride, window, everything.bands),
  };
  const planes = Object.entries(all.planes).map(([role, plane]) => [role, cropped(plane, stride, window)]);
  const bands: OpticalBands = { columns, rows, valid: features.valid, planes: Object.fromEntries(planes) };
  connectSegments(segments, columns, seeds);
  const joined = mergeSegments(segments, features, lattice);
  for (let i = 0; i < segments.length; i++) if (segments[i] !== NO_SEED) segments[i] = joined[segments[i]!]!;
  const sums = segmentSums(segments, bands, levelsOf(brightnessOf(bands), model), seeds);
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
    const at = (window.top + row) * stride + window.left + column;
    numbers[at] = numberOf(segment);
    means[at] = mean[segment]!;
    classes[at] = right === segment && below === segment ? INSIDE : BOUNDARY;
  }
  const rect = {
    column: block.rect.column + window.left,
    row: block.rect.row + window.top,
    columns,
    rows,
  };
  return { layers: [classes, numbers, means], objects: objectsOf({ ...block, rect }, segments, sums, numberOf) };
}

/** Segments whose middle lies in the core. */
function objectsOf(
  { rect, core, ground }: Pick<AnalysisBlock, "rect" | "core" | "ground">,
  segments: Int32Array,
  sums: SegmentSums,
  numberOf: (seed: number) => number,
): readonly FoundObject[] {
  const centres = new Map<number, readonly [number, number]>();
  for (let segment = 0; segment < sums.count.length; segment++) {
    const count = sums.count[segment]!;
    if (count === 0) continue;
    // Sums of places in the grid, not in the block: the same to the last digit in every block.
    const column = (sums.columns[segment]! + count * rect.column) / count + 0.5;
    const row = (sums.rows[segment]! + count * rect.row) / count + 0.5;
    const [right, below] = [core.column + core.columns, core.row + core.rows];
    if (column >= core.column && column < right && row >= core.row && row < below) centres.set(segment, [column, row]);
  }
  const members = membersOf(segments, sums.count, centres);
  const objects: FoundObject[] = [];
  for (const [segment, centre] of centres) {
    const rectangle = pixelsRectangle(members.get(segment)!, rect.columns);
    objects.push({
      className: "segment",
      centre,
      corners: rectangle.corners.map(([x, y]) => [x + rect.column, y + rect.row] as const),
      areaM2: sums.count[segment]! * ground.metresPerPixelX * ground.metresPerPixelY,
      count: 1,
      confidence: 1,
      properties: { segment: numberOf(segment), ...segmentProperties(sums, segment, ground) },
    });
  }
  return objects;
}

function membersOf(
  segments: Int32Array,
  counts: Float64Array,
  wanted: ReadonlyMap<number, unknown>,
): ReadonlyMap<number, Int32Array> {
  const members = new Map<number, Int32Array>();
  for (const segment of wanted.keys()) members.set(segment, new Int32Array(counts[segment]!));
  const filled = new Int32Array(counts.length);
  for (let i = 0; i < segments.length; i++) {
    const list = segments[i] === NO_SEED ? undefined : members.get(segments[i]!);
    if (list !== undefined) list[filled[segments[i]!]!++] = i;
  }
  return members;
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
export const segments: BlockAlgorithm<SegmentsModel> = { survey, compute, describe };
