/**
 * How a mosaic makes a pixel of many scenes. `first`, `newest` and `least-cloudy` take the first valid scene in an
 * order, `max` the scene with the greatest index. `median` and `mean` combine all valid scenes.
 */
export const MOSAIC_RULES = ["first", "newest", "least-cloudy", "median", "mean", "max"] as const;

export type MosaicRule = (typeof MOSAIC_RULES)[number];

/** Scenes of one mosaic: their numbers fit into a byte beside 0, no scene. */
export const MAX_MOSAIC_SCENES = 100;

/** Whether each pixel comes from one scene; otherwise several scenes share it. */
export function choosesScenes(rule: MosaicRule): boolean {
  return rule !== "median" && rule !== "mean";
}

interface OrderedScene {
  readonly sceneId: string;
  /** UTC, YYYY-MM-DD HH:MM:SS. */
  readonly datetime: string;
  /** Share, 0 to 1; absent: unknown. */
  readonly cloudCover?: number | undefined;
}

/**
 * Scenes in the order of a rule. Equal scenes are ordered newest first, then by ID; scenes of unknown cloud cover
 * follow the others. `first`, `median`, `mean` and `max` keep the order.
 */
export function mosaicOrder<Scene extends OrderedScene>(rule: MosaicRule, scenes: readonly Scene[]): readonly Scene[] {
  if (rule === "newest") return scenes.toSorted(byTime);
  if (rule !== "least-cloudy") return scenes;
  const cover = ({ cloudCover }: Scene): number => cloudCover ?? 2;
  return scenes.toSorted((a, b) => cover(a) - cover(b) || byTime(a, b));
}

function byTime(a: OrderedScene, b: OrderedScene): number {
  if (a.datetime !== b.datetime) return a.datetime < b.datetime ? 1 : -1;
  return a.sceneId < b.sceneId ? -1 : Number(a.sceneId > b.sceneId);
}

/** Pixels of one scene for a mosaic; all arrays have the length of the mosaic. */
export interface MosaicLayer {
  /** Number of the scene, 1 to 255. */
  readonly number: number;
  /** Values of the bands; NaN where invalid. A pixel needs a value in each band. */
  readonly planes: readonly Float32Array[];
  /** 0 under clouds; null when no cloud is known. */
  readonly clear: Uint8Array | null;
}

/** A mosaic that is filled scene by scene. */
export interface MosaicPixels {
  /** Number of the scene of each pixel; 0 without one. */
  readonly choice: Uint8Array;
  /** Values of the bands; NaN where no scene is valid. */
  readonly planes: readonly Float32Array[];
}

/** A mosaic without a pixel. */
export function emptyMosaic(pixels: number, bands: number): MosaicPixels {
  return {
    choice: new Uint8Array(pixels),
    planes: Array.from({ length: bands }, () => new Float32Array(pixels).fill(Number.NaN)),
  };
}

/**
 * Gives a scene the pixels where its score exceeds the best so far.
 *
 * @param best scores of the chosen scenes; changed. Before the first scene all NaN
 * @param scores of the scene; a pixel without a score (NaN) is not valid
 */
export function takeGreatest(
  { choice, planes }: MosaicPixels,
  layer: MosaicLayer,
  best: Float32Array,
  scores: Float32Array,
): void {
  for (let i = 0; i < choice.length; i++) {
    const score = scores[i]!;
    // The first of equal scores stays.
    if (!(choice[i] === 0 ? !Number.isNaN(score) : score > best[i]!) || !isValid(layer, i)) continue;
    choice[i] = layer.number;
    best[i] = score;
    for (let band = 0; band < planes.length; band++) planes[band]![i] = layer.planes[band]![i]!;
  }
}

function isValid({ planes, clear }: MosaicLayer, pixel: number): boolean {
  if (clear !== null && clear[pixel] === 0) return false;
  for (const plane of planes) if (Number.isNaN(plane[pixel]!)) return false;
  return true;
}

/** The mean of the valid values of each pixel: NaN without one. */
export function meanPlane(planes: readonly Float32Array[], pixels: number): Float32Array {
  const target = new Float32Array(pixels);
  for (let i = 0; i < pixels; i++) {
    let [sum, count] = [0, 0];
    for (const plane of planes) {
      const value = plane[i]!;
      if (Number.isNaN(value)) continue;
      sum += value;
      count++;
    }
    target[i] = count === 0 ? Number.NaN : sum / count;
  }
  return target;
}

/** The median of the valid values of each pixel, of an even number the mean of the middle two: NaN without one. */
export function medianPlane(planes: readonly Float32Array[], pixels: number): Float32Array {
  const target = new Float32Array(pixels);
  const sorted = new Float64Array(planes.length);
  for (let i = 0; i < pixels; i++) {
    let count = 0;
    for (const plane of planes) {
      const value = plane[i]!;
      if (Number.isNaN(value)) continue;
      // Insertion sort: scenes are few.
      let at = count++;
      while (at > 0 && sorted[at - 1]! > value) {
        sorted[at] = sorted[at - 1]!;
        at--;
      }
      sorted[at] = value;
    }
    const middle = count >> 1;
    if (count === 0) target[i] = Number.NaN;
    else target[i] = count % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  }
  return target;
}

/** Marks values under clouds as invalid. */
export function hideClouds(planes: readonly Float32Array[], clear: Uint8Array | null): void {
  if (clear === null) return;
  for (const plane of planes) {
    for (let i = 0; i < plane.length; i++) if (clear[i] === 0) plane[i] = Number.NaN;
  }
}
