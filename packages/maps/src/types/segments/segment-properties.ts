import type { PixelGround } from "../../analysis/block.ts";
import type { OpticalBands } from "../../analysis/optical/optical-block.ts";
import type { BandRole } from "@swath/kernel/bands/band-role";
import { normalisedDifference, STEPS } from "../../analysis/texture/int-plane.ts";
import { NO_SEED } from "./cluster-pixels.ts";

/** Indices of which segments carry the mean, with the bands of their normalised difference. */
const INDICES: readonly (readonly [name: string, a: BandRole, b: BandRole])[] = [
  ["ndvi", "N", "R"],
  ["ndwi", "G", "N"],
  ["mndwi", "G", "S1"],
  ["ndbi", "S1", "N"],
  ["nbr", "N", "S2"],
];
const NAMES: Readonly<Partial<Record<BandRole, string>>> = {
  B: "Blue",
  G: "Green",
  R: "Red",
  N: "Nir",
  S1: "Swir1",
  S2: "Swir2",
};

/** Half of the ways to a neighbour: right, down, down right, down left. */
const STEPS_TO = [
  [1, 0],
  [0, 1],
  [1, 1],
  [-1, 1],
] as const;

/** Sums over the pixels of each segment. All are whole numbers, so they are exact in any order. */
export interface SegmentSums {
  readonly count: Float64Array;
  /** Of columns and rows of the block. */
  readonly columns: Float64Array;
  readonly rows: Float64Array;
  /** Per band of `roles`, then per index of `indices`. */
  readonly sums: readonly Float64Array[];
  readonly squares: readonly Float64Array[];
  readonly roles: readonly BandRole[];
  readonly indices: readonly string[];
  /** Crossings of the outline, by direction. */
  readonly crossings: readonly Float64Array[];
  /** Squared differences of grey levels of neighbours within the segment, and how many pairs there are. */
  readonly contrast: Float64Array;
  readonly pairs: Float64Array;
}

/**
 * @param segments number of the segment of each pixel, `NO_SEED` for none
 * @param levels grey level of each pixel
 * @param count segments there may be
 */
export function segmentSums(segments: Int32Array, bands: OpticalBands, levels: Uint8Array, count: number): SegmentSums {
  const { columns, rows, planes } = bands;
  const zeros = (): Float64Array => new Float64Array(count);
  const roles = (Object.keys(planes) as BandRole[]).filter((role) => NAMES[role] !== undefined);
  const known = INDICES.filter(([, a, b]) => planes[a] !== undefined && planes[b] !== undefined);
  const measured = [
    ...roles.map((role) => planes[role]!),
    ...known.map(([, a, b]) => normalisedDifference(planes[a]!, planes[b]!)),
  ];
  const result: SegmentSums = {
    count: zeros(),
    columns: zeros(),
    rows: zeros(),
    sums: measured.map(zeros),
    squares: roles.map(zeros),
    roles,
    indices: known.map(([name]) => name),
    crossings: STEPS_TO.map(zeros),
    contrast: zeros(),
    pairs: zeros(),
  };
  for (const [k, plane] of measured.entries()) {
    const [sums, squares] = [result.sums[k]!, result.squares[k]];
    for (let i = 0; i < segments.length; i++) {
      const segment = segments[i]!;
      if (segment === NO_SEED) continue;
      sums[segment]! += plane[i]!;
      if (squares !== undefined) squares[segment]! += plane[i]! * plane[i]!;
    }
  }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const segment = segments[row * columns + column]!;
      if (segment === NO_SEED) continue;
      result.count[segment]! += 1;
      result.columns[segment]! += column;
      result.rows[segment]! += row;
    }
  }
  // With a frame of no segment every pixel has all its neighbours.
  const width = columns + 2;
  const framed = new Int32Array(width * (rows + 2)).fill(NO_SEED);
  const framedLevels = new Uint8Array(framed.length);
  for (let row = 0; row < rows; row++) {
    const [start, at] = [row * columns, (row + 1) * width + 1];
    framed.set(segments.subarray(start, start + columns), at);
    framedLevels.set(levels.subarray(start, start + columns), at);
  }
  for (const [direction, [dx, dy]] of STEPS_TO.entries()) {
    addNeighbours(framed, framedLevels, dy * width + dx, result.crossings[direction]!, result);
  }
  return result;
}

/** @param step to the neighbour of each pixel */
function addNeighbours(
  segments: Int32Array,
  levels: Uint8Array,
  step: number,
  crossings: Float64Array,
  { contrast, pairs }: Pick<SegmentSums, "contrast" | "pairs">,
): void {
  for (let i = 0; i < segments.length - step; i++) {
    const segment = segments[i]!;
    const other = segments[i + step]!;
    if (segment !== other) {
      if (segment !== NO_SEED) crossings[segment]! += 1;
      if (other !== NO_SEED) crossings[other]! += 1;
    } else if (segment !== NO_SEED) {
      const difference = levels[i]! - levels[i + step]!;
      contrast[segment]! += difference * difference;
      pairs[segment]! += 1;
    }
  }
}

/**
 * Length of the outline by the formula of Cauchy and Crofton with four directions, pixels: 5 % short for squares that lie
 * straight, right for discs, where the sides of pixels would be 27 % too long.
 */
export function perimeterPx({ crossings }: Pick<SegmentSums, "crossings">, segment: number): number {
  const [across, down, falling, rising] = crossings.map((direction) => direction[segment]!);
  return (Math.PI / 8) * (across! + down! + (falling! + rising!) / Math.SQRT2);
}

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals)) + 0;

/** Properties of a segment: shape in metres, mean and deviation of reflectance per band, means of indices, contrast. */
export function segmentProperties(
  sums: SegmentSums,
  segment: number,
  { metresPerPixelX, metresPerPixelY }: PixelGround,
): Readonly<Record<string, number>> {
  const count = sums.count[segment]!;
  const areaM2 = count * metresPerPixelX * metresPerPixelY;
  const perimeterM = perimeterPx(sums, segment) * Math.sqrt(metresPerPixelX * metresPerPixelY);
  const properties: Record<string, number> = {
    pixels: count,
    perimeterM: rounded(perimeterM, 1),
    compactness: rounded(Math.min(1, (4 * Math.PI * areaM2) / perimeterM ** 2), 4),
  };
  for (const [k, role] of sums.roles.entries()) {
    const mean = sums.sums[k]![segment]! / count;
    const variance = Math.max(0, sums.squares[k]![segment]! / count - mean * mean);
    properties[`mean${NAMES[role]!}`] = rounded(mean / STEPS, 5);
    properties[`std${NAMES[role]!}`] = rounded(Math.sqrt(variance) / STEPS, 5);
  }
  for (const [k, name] of sums.indices.entries()) {
    properties[name] = rounded(sums.sums[sums.roles.length + k]![segment]! / count / STEPS, 4);
  }
  const pairs = sums.pairs[segment]!;
  properties["contrast"] = pairs === 0 ? 0 : rounded(sums.contrast[segment]! / pairs, 3);
  return properties;
}
