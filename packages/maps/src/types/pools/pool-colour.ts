import type { AnalysisBlock, AnalysisSurvey } from "../../analysis/block.ts";
import { localMedian } from "../../analysis/shape/local-ground.ts";

/** Model of the whole scene. Plain data. */
export interface PoolModel {
  /**
   * Values of blue, green and red of the darkest ground: light that the air scatters. In near infrared it scatters next to
   * none, and a scene without water has nothing black there.
   */
  readonly haze: readonly [blue: number, green: number, red: number];
  /** Median blue, without haze, of pixels that are neither water nor vegetation; 0 without such pixels. */
  readonly builtBlue: number;
}

/** One byte per pixel, 1 where it holds. */
export interface PoolPixels {
  readonly valid: Uint8Array;
  /** Bright turquoise that near infrared does not come back from. */
  readonly pool: Uint8Array;
  /** Any water, however dark. */
  readonly water: Uint8Array;
  /** Neither water nor vegetation. */
  readonly built: Uint8Array;
  /** Ratio of the blue of a pixel to the blue of the surrounding ground. */
  readonly contrast: Float32Array;
}

/** Share of pixels that are as good as black. */
const DARKEST = 0.005;
const MOST_SAMPLED = 60_000;
const POOL_NDWI = 0.3;
const WATER_NDWI = 0.15;
/** (blue - red) / (blue + red): 0.3 to 0.6 of pools, below 0 of roofs, soil and roads. */
const TURQUOISE = 0.2;
/** Shadows and ponds are blue too, but darker than what lies around, or than roofs and roads usually are. */
const LEAST_CONTRAST = 1.25;
const LEAST_OF_BUILT = 0.8;
const GROUND_RADIUS_M = 16;
const GROUND_STEP_M = 6;
const GROWS_NDVI = 0.3;

/** Learns from windows at full resolution, or from the overview where there are none, what colours the scene has. */
export function surveyPools({ overview, windows }: AnalysisSurvey): PoolModel {
  const blocks = windows.length > 0 ? windows : [overview];
  const total = blocks.reduce((sum, { rect }) => sum + rect.columns * rect.rows, 0);
  const stride = Math.max(1, Math.floor(total / MOST_SAMPLED));
  const samples: (readonly [number, number, number, number])[] = [];
  for (const { scenes } of blocks) {
    const [blue, green, red, nir] = scenes[0]!;
    for (let i = 0; i < blue!.length; i += stride) {
      const sample = [blue![i]!, green![i]!, red![i]!, nir![i]!] as const;
      if (sample.every((value) => value === value)) samples.push(sample);
    }
  }
  const darkest = (band: 0 | 1 | 2): number => {
    const sorted = Float32Array.from(samples, (sample) => sample[band]).toSorted();
    return sorted[Math.floor(DARKEST * sorted.length)] ?? 0;
  };
  const haze = [darkest(0), darkest(1), darkest(2)] as const;
  const built = Float32Array.from(
    samples.filter(
      ([, g, r, n]) => kindOf(Math.max(0, g - haze[1]), Math.max(0, r - haze[2]), Math.max(0, n)) === "built",
    ),
    ([blue]) => blue - haze[0],
  ).toSorted();
  return { haze, builtBlue: built[built.length >> 1] ?? 0 };
}

/** Of values without haze. */
function kindOf(g: number, r: number, n: number): "water" | "vegetation" | "built" {
  if (g - n > WATER_NDWI * (g + n)) return "water";
  return n - r >= GROWS_NDVI * (n + r) ? "vegetation" : "built";
}

/** Planes are blue, green, red and near infrared. */
export function poolPixels(block: AnalysisBlock, { haze, builtBlue }: PoolModel): PoolPixels {
  const { columns, rows } = block.rect;
  const { metresPerPixelX, metresPerPixelY } = block.ground;
  const [blue, green, red, nir] = block.scenes[0]!;
  if (blue === undefined || green === undefined || red === undefined || nir === undefined) {
    throw new RangeError("pools need four bands");
  }
  const metres = Math.sqrt(metresPerPixelX * metresPerPixelY);
  const step = Math.max(2, Math.round(GROUND_STEP_M / metres));
  const around = localMedian(blue, columns, rows, step, Math.max(4, Math.round(GROUND_RADIUS_M / metres)), block.rect);
  const size = columns * rows;
  const pixels: PoolPixels = {
    valid: new Uint8Array(size),
    pool: new Uint8Array(size),
    water: new Uint8Array(size),
    built: new Uint8Array(size),
    contrast: new Float32Array(size),
  };
  for (let i = 0; i < size; i++) {
    const b = Math.max(0, blue[i]! - haze[0]);
    const g = Math.max(0, green[i]! - haze[1]);
    const r = Math.max(0, red[i]! - haze[2]);
    const n = Math.max(0, nir[i]!);
    if (b + g + r + n !== b + g + r + n) continue;
    pixels.valid[i] = 1;
    pixels.contrast[i] = b / Math.max(around[i]! - haze[0], 1e-6);
    const kind = kindOf(g, r, n);
    if (kind === "water") pixels.water[i] = 1;
    else if (kind === "built") pixels.built[i] = 1;
    const isTurquoise = g - n > POOL_NDWI * (g + n) && b - r > TURQUOISE * (b + r);
    const isBright = pixels.contrast[i]! >= LEAST_CONTRAST && b >= LEAST_OF_BUILT * builtBlue;
    if (isTurquoise && isBright) pixels.pool[i] = 1;
  }
  return pixels;
}
