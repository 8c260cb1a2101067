import { giveWay, isUsedUp, type LoopShare } from "@swath/base/concurrency/loop-share";

/** Pixels of one band of an overview; invalid ones are NaN. */
export interface Plane {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly values: Float32Array;
}

/** Shares of the valid pixels that are drawn black and white. */
const STRETCH = [0.02, 0.98] as const;
/** Pixels looked at to find the stretch. */
const SAMPLES = 65_536;
/** Pixels between two looks at the clock. */
const STEP_PX = 65_536;

/**
 * Red, green, blue and alpha of each pixel, from three planes or from one in grey. One stretch for all bands keeps
 * colours true. Gives way to others between steps.
 */
export async function drawPlanes(planes: readonly Plane[], share: LoopShare): Promise<Uint8Array> {
  const stretch = stretchOf(planes);
  const count = planes[0]?.values.length ?? 0;
  const data = new Uint8Array(count * 4);
  for (let start = 0; start < count; start += STEP_PX) {
    if (isUsedUp(share)) await giveWay(share);
    colour(data, planes, stretch, start, Math.min(start + STEP_PX, count));
  }
  return data;
}

function colour(
  data: Uint8Array,
  planes: readonly Plane[],
  [black, white]: readonly [black: number, white: number],
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i += 1) {
    let isValid = true;
    for (let channel = 0; channel < 3; channel += 1) {
      const value = (planes[channel] ?? planes[0])?.values[i] ?? Number.NaN;
      if (!Number.isFinite(value)) isValid = false;
      else data[i * 4 + channel] = Math.round(255 * Math.min(Math.max((value - black) / (white - black), 0), 1));
    }
    if (isValid) data[i * 4 + 3] = 255;
    else data.fill(0, i * 4, i * 4 + 4);
  }
}

function stretchOf(planes: readonly Plane[]): readonly [black: number, white: number] {
  const sampled: number[] = [];
  for (const { values } of planes) {
    const step = Math.max(1, Math.ceil((values.length * planes.length) / SAMPLES));
    for (let i = 0; i < values.length; i += step) {
      const value = values[i] ?? Number.NaN;
      if (Number.isFinite(value)) sampled.push(value);
    }
  }
  const sorted = Float64Array.from(sampled).toSorted();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const [black, white] = [at(STRETCH[0]), at(STRETCH[1])];
  return white > black ? [black, white] : [black, black + 1];
}
