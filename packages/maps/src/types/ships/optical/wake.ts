import type { PixelGround } from "../../../analysis/block.ts";
import type { ShipShape } from "../shape/measure.ts";

/** A wake is looked for from here to there behind the stern, in lengths of the ship. */
const FROM_LENGTHS = 0.25;
const TO_LENGTHS = 4;
const STEPS = 24;
/** Directions that are tried about the axis, degrees. */
const SWEEP_DEG = 8;
/** One end must be that much more disturbed than the other, in standard errors of the quieter one. */
const MIN_CONTRAST = 6;
const MIN_LEVEL = 2.5;

/**
 * Which way a ship goes, from the line of disturbed water that it leaves: scores are summed along rays from both ends of
 * the hull (a Radon transform of those lines only), and a wake must be bright at one end and lacking at the other.
 *
 * @returns heading clockwise from true north, 0 to 360, or null when no wake is sure
 */
export function findWake(
  score: Float32Array,
  sea: Uint8Array,
  columns: number,
  members: Int32Array,
  { centre, axis, lengthM, headingDeg, widthM }: ShipShape,
  ground: PixelGround,
): number | null {
  if (lengthM < 2 * widthM) return null;
  const hull = new Set<number>(members);
  const ray = (sign: number): { readonly mean: number; readonly error: number } | null => {
    let best: { mean: number; error: number } | null = null;
    for (let degrees = -SWEEP_DEG; degrees <= SWEEP_DEG; degrees += 2) {
      const along = rayMean(score, sea, columns, hull, centre, turned(axis, sign, degrees), lengthM, ground);
      if (along !== null && (best === null || along.mean > best.mean)) best = along;
    }
    return best;
  };
  const [ahead, astern] = [ray(1), ray(-1)];
  if (ahead === null || astern === null) return null;
  const [wake, clear, sign] = ahead.mean > astern.mean ? [ahead, astern, -1] : [astern, ahead, 1];
  if (wake.mean < MIN_LEVEL * clear.mean || wake.mean - clear.mean < MIN_CONTRAST * clear.error) return null;
  // `headingDeg` is the bearing of the axis or of its reverse.
  const bearing = (Math.atan2(axis[0], -axis[1]) * 180) / Math.PI + ground.northDeg;
  const along = (((bearing - headingDeg) % 360) + 360) % 360;
  const axisBearing = along < 90 || along > 270 ? headingDeg : headingDeg + 180;
  return (axisBearing + (sign === 1 ? 0 : 180)) % 360;
}

function turned([x, y]: readonly [number, number], sign: number, degrees: number): readonly [number, number] {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  return [sign * (x * cosine - y * sine), sign * (x * sine + y * cosine)];
}

/** Mean of the square root of scores along a ray, limited so that one other ship does not make a wake. */
function rayMean(
  score: Float32Array,
  sea: Uint8Array,
  columns: number,
  hull: ReadonlySet<number>,
  centre: readonly [number, number],
  [right, down]: readonly [number, number],
  lengthM: number,
  { metresPerPixelX, metresPerPixelY }: PixelGround,
): { readonly mean: number; readonly error: number } | null {
  const rows = score.length / columns;
  let [count, sum, squares] = [0, 0, 0];
  for (let step = 0; step < STEPS; step++) {
    const metres = lengthM * (0.5 + FROM_LENGTHS + ((TO_LENGTHS - FROM_LENGTHS) * step) / (STEPS - 1));
    const column = Math.floor(centre[0] + (right * metres) / metresPerPixelX);
    const row = Math.floor(centre[1] + (down * metres) / metresPerPixelY);
    if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
    const i = row * columns + column;
    if (sea[i] === 0 || hull.has(i)) continue;
    const value = Math.min(Math.sqrt(score[i]!), 12);
    count++;
    sum += value;
    squares += value * value;
  }
  if (count < STEPS / 2) return null;
  const mean = sum / count;
  return { mean, error: Math.sqrt(Math.max(squares / count - mean * mean, 0.05) / count) };
}
