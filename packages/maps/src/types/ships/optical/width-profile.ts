import type { PixelGround } from "../../../analysis/block.ts";
import type { ShipShape } from "../shape/measure.ts";

/** Widths of an object across its axis, and the light of each step along it. */
export interface WidthProfile {
  /** Step of each member, in the order of the members. */
  readonly steps: Int32Array;
  /** Pixels between the outermost members of each step, both included. */
  readonly widthPx: Float64Array;
  /** Mean amplitude of each step. */
  readonly light: Float64Array;
}

/** Fewer steps show no course of the width. */
const MIN_STEPS = 9;
/** Bows take up less than a third of a hull: the outer thirds of hulls differ by less than this factor. */
const WEDGE = 1.6;
/** Each of the thirds must differ from the next one in the same sense by this share. */
const STEADY = 1.15;
/** Widths of a hull vary by less than this factor from the width of its head. */
const HULL_VARIES = 1.4;

/** Two ships side by side are twice as wide as one; an arm of a pier reaches farther across. */
const ARM_WIDTHS = 2.5;

/** Whether something reaches across an object much farther than the object is wide: piers have arms, hulls have none. */
export function hasArm({ widthPx }: WidthProfile): boolean {
  const { length } = widthPx;
  if (length < MIN_STEPS) return false;
  const sorted = widthPx.toSorted();
  return sorted[length - 2]! > ARM_WIDTHS * sorted[length >> 1]!;
}

/** The widths of an object in steps of a pixel along its axis. */
export function widthProfile(
  members: Int32Array,
  score: Float32Array,
  columns: number,
  { centre, axis }: ShipShape,
  { metresPerPixelX, metresPerPixelY }: PixelGround,
): WidthProfile {
  const pixelM = Math.sqrt(metresPerPixelX * metresPerPixelY);
  const along = new Float64Array(members.length);
  const across = new Float64Array(members.length);
  for (const [k, i] of members.entries()) {
    const row = Math.floor(i / columns);
    const right = ((i - row * columns + 0.5 - centre[0]) * metresPerPixelX) / pixelM;
    const down = ((row + 0.5 - centre[1]) * metresPerPixelY) / pixelM;
    along[k] = right * axis[0] + down * axis[1];
    across[k] = down * axis[0] - right * axis[1];
  }
  const start = Math.min(...along);
  const steps = Int32Array.from(along, (place) => Math.floor(place - start));
  const count = Math.max(...steps) + 1;
  const low = new Float64Array(count).fill(Infinity);
  const high = new Float64Array(count).fill(-Infinity);
  const light = new Float64Array(count);
  const pixels = new Float64Array(count);
  for (const [k, i] of members.entries()) {
    const step = steps[k]!;
    low[step] = Math.min(low[step]!, across[k]!);
    high[step] = Math.max(high[step]!, across[k]!);
    light[step]! += Math.sqrt(Math.max(score[i]!, 0));
    pixels[step]! += 1;
  }
  return {
    steps,
    widthPx: low.map((least, step) => (pixels[step]! > 0 ? high[step]! - least + 1 : 0)),
    light: light.map((sum, step) => (pixels[step]! > 0 ? sum / pixels[step]! : 0)),
  };
}

/**
 * Hulls have parallel sides; a wake widens astern of its boat, or narrows as its foam decays. Of an object whose width
 * changes steadily from one end to the other, the end with more light is the boat.
 *
 * @returns which members are of the boat, or null where the sides are parallel
 */
export function headOfWedge({ steps, widthPx, light }: WidthProfile): Uint8Array | null {
  const count = widthPx.length;
  if (count < MIN_STEPS) return null;
  const third = Math.floor(count / 3);
  const thirds = (values: Float64Array): readonly [number, number, number] => [
    meanOf(values, 0, third),
    meanOf(values, third, count - third),
    meanOf(values, count - third, count),
  ];
  const [first, middle, last] = thirds(widthPx);
  const widens = last > WEDGE * first && last > STEADY * middle && middle > STEADY * first;
  const narrows = first > WEDGE * last && first > STEADY * middle && middle > STEADY * last;
  if (!widens && !narrows) return null;
  const [firstLight, , lastLight] = thirds(light);
  const isFirst = firstLight >= lastLight;
  const headWidth = isFirst ? first : last;
  const inHead = new Uint8Array(count);
  for (let k = 0; k < count; k++) {
    const step = isFirst ? k : count - 1 - k;
    const width = widthPx[step]!;
    // The outer third is the head whatever its course; bows are pointed.
    if (k >= third && (width > HULL_VARIES * headWidth || width * HULL_VARIES < headWidth)) break;
    inHead[step] = 1;
  }
  return Uint8Array.from(steps, (step) => inHead[step]!);
}

function meanOf(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i]!;
  return sum / (to - from);
}
