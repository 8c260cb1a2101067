import { paintNumbers } from "@swath/kernel/raster-mathematics/colormap";
import { pixelAreasM2 } from "@swath/kernel/raster-mathematics/pixel-area";
import type { ResultClass } from "@swath/kernel/raster-mathematics/rendering";
import type { Classification } from "./grid-renderer.ts";
import type { GridJob } from "./grid-job.ts";
import { countSet, ratio } from "./value-statistics.ts";

/** Pixels of classes. */
export interface ClassPixels {
  readonly classes: readonly ResultClass[];
  /** Number of the class of each pixel, 0 where there is none. */
  readonly numbers: Uint8Array;
  /** 255 where the pixel counts. */
  readonly mask: Uint8Array;
}

/** A class in metadata.json. */
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
  const numbers = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    numbers[i] = ranges.findIndex(({ low, high }) => value >= low && value < high) + 1;
  }
  return {
    classes: ranges.map(({ name, color }, index) => ({ name, color, value: index + 1 })),
    numbers,
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
    numbers: pixels.numbers.map((number) => table[number]!),
    mask: pixels.mask,
  };
}

/** Values on the two sides of a threshold. */
function thresholdClasses(values: Float32Array, mask: Uint8Array, threshold: number): ClassPixels {
  const numbers = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isNaN(value)) numbers[i] = value >= threshold ? 1 : 2;
  }
  return {
    classes: [
      { name: "above", value: 1, color: ABOVE_COLOR },
      { name: "below", value: 2, color: BELOW_COLOR },
    ],
    numbers,
    mask,
  };
}

/** Opaque in the colour of the class, the rest transparent. */
export function paintClasses({ classes, numbers, mask }: ClassPixels): Uint8Array {
  return paintNumbers(numbers, mask, new Map(classes.map(({ value, color }) => [value, color])));
}

/** Area of each class by name, m², each pixel counted with its share inside the released area. */
export function classAreasM2(job: GridJob, { classes, numbers }: ClassPixels): Readonly<Record<string, number>> {
  const areas = numberedAreas(job, numbers);
  return Object.fromEntries(classes.map(({ name, value }) => [name, Number(areas[value]!.toFixed(1))]));
}

/** Area of the pixels of each number. */
function numberedAreas({ coverage, grid, memo }: GridJob, numbers: Uint8Array): Float64Array {
  const kept = memo?.areas.get(numbers);
  if (kept !== undefined) return kept;
  const rowAreas = pixelAreasM2(grid.originYM, grid.pixelSizeM, grid.heightPx);
  const areas = new Float64Array(256);
  const shares = new Uint32Array(256);
  for (let row = 0; row < grid.heightPx; row++) {
    shares.fill(0);
    for (let i = row * grid.widthPx; i < (row + 1) * grid.widthPx; i++) shares[numbers[i]!]! += coverage[i]!;
    for (let number = 1; number < 256; number++) areas[number]! += (shares[number]! / 255) * rowAreas[row]!;
  }
  memo?.areas.set(numbers, areas);
  return areas;
}

export function describeClasses(job: GridJob, pixels: ClassPixels): Readonly<Record<string, ClassDescription>> {
  const { classes, numbers, mask } = pixels;
  const counts = new Uint32Array(256);
  for (let i = 0; i < numbers.length; i++) if (mask[i] !== 0) counts[numbers[i]!]!++;
  const whole = countSet(mask);
  const areas = numberedAreas(job, numbers);
  return Object.fromEntries(
    classes.map(({ name, value, color }) => {
      const count = counts[value]!;
      const areaM2 = Number(areas[value]!.toFixed(1));
      return [name, { pixels: count, areaM2, ratio: ratio(count, whole), color }];
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
