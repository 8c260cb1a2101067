import { INVALID } from "../texture/int-plane.ts";
import { addToHistogram, emptyHistogram, isBimodal, otsuSplit, type Histogram, type Split } from "./otsu.ts";

/** A plane of backscatter, hundredths of a decibel; `INVALID` where there is none. */
export interface DecibelPlane {
  readonly values: Int16Array;
  readonly columns: number;
}

/** The darker of two groups of backscatter in tiles that hold both. Plain data, decibels. */
export interface DarkMode {
  readonly thresholdDb: number;
  readonly darkDb: number;
  readonly brightDb: number;
  /** Standard deviation within the groups. */
  readonly spreadDb: number;
  /** Tiles whose pixels were pooled. */
  readonly tiles: number;
}

/** How dark the mean of a dark group is at least, decibels. */
export interface DarkLevels {
  /** Of a group far below the other. */
  readonly brightestDb: number;
  /** Of a group of any distance. */
  readonly sureDb: number;
}

/** Tiles are halved down to this side: smaller ones hold too few independent pixels for a histogram. */
const SMALLEST_TILE_PX = 64;
/** A tile with less data than this share says nothing. */
const LEAST_VALID_SHARE = 0.25;
/** Each group has at least this share of a tile (Chini et al. 2017). */
const LEAST_SHARE = 0.1;
/** A single normal distribution cut in the middle has 2.65; groups 2.8 deviations from each other have 3. */
const LEAST_ASHMAN_D = 3;
/** Noise in histograms of filtered speckle of one mean sinks by up to a fifth between its highest bins. */
const LEAST_VALLEY = 0.25;
/** Groups of fields of which the levels are spread evenly over 8 dB lie closer in simulated tiles. */
const LEAST_CONTRAST_DB = 5;
/** Fewer are a dark field that stands in one tile by chance. */
const LEAST_POOLED_PX = 128 ** 2;
const BIN_DB = 0.25;
const RANGE_DB = [-40, 10] as const;

/**
 * The dark group of a scene, by hierarchical splitting: windows are halved until a tile has two groups of backscatter. The
 * pixels of all such tiles are pooled and split once (Otsu 1979). In the whole scene a group of few pixels has no peak. Water
 * is as dark in every tile, and dark fields are not: the pooled pixels have two groups again. Null where no tile has two
 * groups, or the darker group is too bright.
 *
 * @see Chini, Hostache, Giustarini and Matgen 2017, doi:10.1109/TGRS.2017.2737664
 */
export function learnDarkMode(planes: readonly DecibelPlane[], levels: DarkLevels): DarkMode | null {
  const pooled = emptyDecibels();
  let tiles = 0;
  for (const plane of planes) tiles += poolTiles(plane, levels, pooled);
  const pixels = pooled.counts.reduce((sum, count) => sum + count, 0);
  if (pixels < LEAST_POOLED_PX) return null;
  const split = otsuSplit(pooled);
  if (split === null || !hasDarkGroup(split, levels)) return null;
  const { threshold, lowerMean, upperMean, spread } = split;
  return { thresholdDb: threshold, darkDb: lowerMean, brightDb: upperMean, spreadDb: spread, tiles };
}

interface Tile {
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
}

/** Adds the largest tiles with two groups to the histogram and returns their number. */
function poolTiles(plane: DecibelPlane, levels: DarkLevels, pooled: Histogram): number {
  const rows = plane.values.length / plane.columns;
  const waiting: Tile[] = [{ column: 0, row: 0, columns: plane.columns, rows }];
  let count = 0;
  for (let tile = waiting.pop(); tile !== undefined; tile = waiting.pop()) {
    const { column, row } = tile;
    const histogram = emptyDecibels();
    const valid = countTile(plane, tile, histogram);
    if (valid < LEAST_VALID_SHARE * tile.columns * tile.rows) {
      if (valid === 0) continue;
    } else if (hasDarkGroup(otsuSplit(histogram), levels)) {
      for (let bin = 0; bin < pooled.counts.length; bin++) pooled.counts[bin]! += histogram.counts[bin]!;
      count++;
      continue;
    }
    const columns = tile.columns >> 1;
    const tileRows = tile.rows >> 1;
    if (columns < SMALLEST_TILE_PX || tileRows < SMALLEST_TILE_PX) continue;
    for (const top of [row, row + tileRows]) {
      for (const left of [column, column + columns]) waiting.push({ column: left, row: top, columns, rows: tileRows });
    }
  }
  return count;
}

function hasDarkGroup(split: Split | null, levels: DarkLevels): boolean {
  if (split === null || !isBimodal(split)) return false;
  const { ashmanD, valleyDepth, lowerShare, lowerMean, upperMean } = split;
  const isDark =
    upperMean - lowerMean >= LEAST_CONTRAST_DB ? lowerMean <= levels.brightestDb : lowerMean <= levels.sureDb;
  return (
    ashmanD > LEAST_ASHMAN_D &&
    valleyDepth > LEAST_VALLEY &&
    Math.min(lowerShare, 1 - lowerShare) >= LEAST_SHARE &&
    isDark
  );
}

function countTile({ values, columns }: DecibelPlane, tile: Tile, histogram: Histogram): number {
  let count = 0;
  for (let row = tile.row; row < tile.row + tile.rows; row++) {
    for (let column = tile.column; column < tile.column + tile.columns; column++) {
      const value = values[row * columns + column]!;
      if (value === INVALID) continue;
      addToHistogram(histogram, value / 100);
      count++;
    }
  }
  return count;
}

function emptyDecibels(): Histogram {
  return emptyHistogram(RANGE_DB[0], RANGE_DB[1], (RANGE_DB[1] - RANGE_DB[0]) / BIN_DB);
}
