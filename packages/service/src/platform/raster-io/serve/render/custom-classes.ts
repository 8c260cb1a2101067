import type { ResultClass } from "@swath/kernel/raster/rendering";
import type { Classification } from "../../grid-renderer.ts";
import { maskedAreaM2, type GridJob } from "./grid-job.ts";
import { countSet, ratio } from "./value-statistics.ts";

/** Pixels of classes, 0 where there is none. */
export interface ClassPixels {
  readonly classes: readonly ResultClass[];
  readonly values: Float32Array;
  /** 255 where the pixel counts. */
  readonly mask: Uint8Array;
}

/** What a class is in metadata.json. */
export interface ClassDescription {
  readonly pixels: number;
  readonly areaM2: number;
  /** Of the pixels that count. */
  readonly ratio: number;
  readonly color: readonly number[];
}

export const ABOVE_COLOR = [0, 68, 27] as const;
const BELOW_COLOR = [84, 48, 5] as const;

/** Values sorted into the ranges that the caller asked for. */
export function rangeClasses(values: Float32Array, mask: Uint8Array, { ranges }: Classification): ClassPixels {
  const numbers = values.map((value) => ranges.findIndex(({ low, high }) => value >= low && value < high) + 1);
  return {
    classes: ranges.map(({ name, color }, index) => ({ name, color, value: index + 1 })),
    values: numbers,
    mask,
  };
}

/** Classes put together as the caller asked for. */
export function unionClasses(pixels: ClassPixels, { unions }: Classification): ClassPixels {
  const table = new Uint8Array(256);
  for (const [index, { members }] of unions.entries()) {
    for (const { name, value } of pixels.classes) if (members.includes(name)) table[value] = index + 1;
  }
  return {
    classes: unions.map(({ name, color }, index) => ({ name, color, value: index + 1 })),
    values: pixels.values.map((value) => (Number.isNaN(value) ? 0 : table[value]!)),
    mask: pixels.mask,
  };
}

/** Values on the two sides of a threshold. */
function thresholdClasses(values: Float32Array, mask: Uint8Array, threshold: number): ClassPixels {
  return {
    classes: [
      { name: "above", value: 1, color: ABOVE_COLOR },
      { name: "below", value: 2, color: BELOW_COLOR },
    ],
    values: values.map((value) => (Number.isNaN(value) ? 0 : value >= threshold ? 1 : 2)),
    mask,
  };
}

/** Opaque in the colour of the class, the rest transparent. */
export function paintClasses({ classes, values, mask }: ClassPixels): Uint8Array {
  const rgba = new Uint8Array(values.length * 4);
  const colors = new Map(classes.map(({ value, color }) => [value, color]));
  for (let i = 0; i < values.length; i++) {
    const color = mask[i] === 0 ? undefined : colors.get(values[i]!);
    if (color === undefined) continue;
    rgba[i * 4] = color[0];
    rgba[i * 4 + 1] = color[1];
    rgba[i * 4 + 2] = color[2];
    rgba[i * 4 + 3] = 255;
  }
  return rgba;
}

/** Area of the pixels of a class, m², each counted with its share inside the released area. */
export function classAreaM2({ coverage, grid }: GridJob, values: Float32Array, value: number): number {
  const weights = coverage.map((share, i) => (values[i] === value ? share : 0));
  return Number(maskedAreaM2(grid, weights).toFixed(1));
}

export function describeClasses(
  job: GridJob,
  { classes, values, mask }: ClassPixels,
): Readonly<Record<string, ClassDescription>> {
  const counts = new Map<number, number>();
  for (let i = 0; i < values.length; i++) {
    if (mask[i] !== 0) counts.set(values[i]!, (counts.get(values[i]!) ?? 0) + 1);
  }
  const whole = countSet(mask);
  return Object.fromEntries(
    classes.map(({ name, value, color }) => {
      const pixels = counts.get(value) ?? 0;
      return [name, { pixels, areaM2: classAreaM2(job, values, value), ratio: ratio(pixels, whole), color }];
    }),
  );
}

/** Classes of values that the caller's threshold or ranges make; none without them. */
export function customClasses(
  job: GridJob,
  values: Float32Array,
  mask: Uint8Array,
): Readonly<Record<string, ClassDescription>> {
  const { userThreshold, classification } = job.request;
  if (userThreshold !== null) return describeClasses(job, thresholdClasses(values, mask, userThreshold));
  if (classification == null || classification.ranges.length === 0) return {};
  return describeClasses(job, rangeClasses(values, mask, classification));
}
