import type { OpticalBands } from "../optical/optical-block.ts";

/** A scene, its clouds and its dark ground. */
export interface DarkGround {
  readonly bands: Pick<OpticalBands, "columns" | "rows" | "valid">;
  readonly clouds: Uint8Array;
  readonly isDark: Uint8Array;
}

/** The way from clouds to their shadows that fits a scene best. */
export interface Displacement {
  /** Pixels to the right and down. */
  readonly dx: number;
  readonly dy: number;
  /** Correlation (phi) of displaced clouds with dark ground, 0 to 1. */
  readonly correlation: number;
}

export interface DisplacementSearch {
  /** Directions that are tried, radians clockwise from the upward axis. */
  readonly bearings: readonly number[];
  /** Lengths that are tried. */
  readonly minPx: number;
  readonly maxPx: number;
}

/** More pixels of clouds than these are thinned out: 3 of 100 is the error of a share of 1000. */
const MOST_PIXELS = 4000;
/** Steps of the length, as a share of it. */
const LENGTH_STEP = 0.04;

/**
 * The displacement at which the clouds of a scene cover most dark ground, where no cloud hides the ground.
 */
export function findDisplacement(shown: DarkGround, { bearings, maxPx, minPx }: DisplacementSearch): Displacement {
  const { bands } = shown;
  const seen = groundOf(shown);
  const sampled = sampleOf(shown.clouds, bands.columns);
  let best: Displacement = { dx: 0, dy: 0, correlation: 0 };
  for (const bearing of bearings) {
    for (let px = minPx; px <= maxPx; px += Math.max(1, LENGTH_STEP * px)) {
      const dx = Math.round(Math.sin(bearing) * px);
      const dy = Math.round(-Math.cos(bearing) * px);
      const correlation = correlationAt(bands, seen, sampled, dx, dy);
      if (correlation > best.correlation) best = { dx, dy, correlation };
    }
  }
  return best;
}

interface Ground {
  /** 0 hidden or no data, 1 bright, 2 dark. */
  readonly classes: Uint8Array;
  readonly count: number;
  readonly darkShare: number;
}

function groundOf({ bands: { valid }, clouds, isDark }: DarkGround): Ground {
  const classes = new Uint8Array(clouds.length);
  let [count, darkCount] = [0, 0];
  for (let i = 0; i < clouds.length; i++) {
    if (clouds[i] === 1 || valid[i] === 0) continue;
    classes[i] = 1 + isDark[i]!;
    count++;
    darkCount += isDark[i]!;
  }
  return { classes, count, darkShare: count === 0 ? 0 : darkCount / count };
}

interface CloudSample {
  readonly columns: Int32Array;
  readonly rows: Int32Array;
  /** Pixels of clouds that one of the sample stands for. */
  readonly stride: number;
}

function sampleOf(clouds: Uint8Array, columns: number): CloudSample {
  const cloudy: number[] = [];
  for (let i = 0; i < clouds.length; i++) if (clouds[i] === 1) cloudy.push(i);
  const stride = Math.max(1, Math.ceil(cloudy.length / MOST_PIXELS));
  const sampled = Int32Array.from(cloudy.filter((_, i) => i % stride === 0));
  return { columns: sampled.map((at) => at % columns), rows: sampled.map((at) => Math.floor(at / columns)), stride };
}

function correlationAt(
  { columns, rows }: Pick<OpticalBands, "columns" | "rows">,
  { classes, count, darkShare }: Ground,
  sample: CloudSample,
  dx: number,
  dy: number,
): number {
  let [outside, hits] = [0, 0];
  for (let s = 0; s < sample.rows.length; s++) {
    const x = sample.columns[s]! + dx;
    const y = sample.rows[s]! + dy;
    if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
    const ground = classes[y * columns + x]!;
    if (ground === 0) continue;
    outside++;
    if (ground === 2) hits++;
  }
  const covered = (outside * sample.stride) / Math.max(1, count);
  const joint = (hits * sample.stride) / Math.max(1, count);
  const spread = Math.sqrt(covered * (1 - covered) * darkShare * (1 - darkShare));
  return spread > 0 ? (joint - covered * darkShare) / spread : 0;
}
