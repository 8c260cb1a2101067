import type { AnalysisBlock } from "../block.ts";
import { blockOf, smoothField, windingShape } from "../clutter/radar-field-testing.ts";
import { seededGamma, seededNormal, seededUniform } from "../clutter/simulate-clutter.ts";
import { boxSum } from "../texture/box-sum.ts";
import { WATER_CLASS } from "./optical-water.ts";
import { addToHistogram, emptyHistogram, otsuSplit } from "./otsu.ts";
import { radarWater } from "./radar-water.ts";

export const SIDE = 384;
export const LOOKS = 4.4;
export const BANDS = ["VV", "VH"] as const;

type Levels = readonly [vv: number, vh: number];

/** Speckled power of water and land. */
export interface WaterField {
  readonly name: string;
  /** Share of water, with shores that wind. */
  readonly waterShare: number;
  readonly water: Levels;
  readonly land: Levels;
  /** Standard deviation of the land's decibels over some hundred metres. */
  readonly relief: number;
  readonly hasCross: boolean;
}

interface DrawnField {
  readonly block: AnalysisBlock;
  readonly isWater: Uint8Array;
}

export function drawField({ waterShare, water, land, relief, hasCross }: WaterField, seed: number): DrawnField {
  const uniform = seededUniform(seed);
  const normal = seededNormal(uniform);
  const speckle = seededGamma(LOOKS, uniform);
  const isWater = windingShape(SIDE, waterShare, normal);
  const rough = smoothField(SIDE, 5, normal);
  const planes = BANDS.slice(0, hasCross ? 2 : 1).map((_, band) =>
    Float32Array.from(isWater, (wet, i) => {
      const db = wet === 1 ? water[band]! : land[band]! + relief * rough[i]!;
      return 10 ** (db / 10) * speckle();
    }),
  );
  return { block: blockOf(SIDE, SIDE, [planes]), isWater };
}

export function foundWater(block: AnalysisBlock): { readonly labels: Uint8Array; readonly source: unknown } {
  const parameters = {
    hasCross: block.scenes[0]!.length > 1,
    powerScales: [1, 1],
    gsdM: block.ground.metresPerPixelX,
    looks: LOOKS,
  };
  const model = radarWater.survey({ overview: block, windows: [block] }, parameters);
  const labels = radarWater.compute(block, model, parameters).layers[0] as Uint8Array;
  return { labels, source: radarWater.describe(model)["thresholdSource"] };
}

function intersectionOverUnion(isWater: Uint8Array, isFound: (i: number) => boolean): number {
  let [both, either] = [0, 0];
  for (let i = 0; i < isWater.length; i++) {
    const [truth, found] = [isWater[i] === 1, isFound(i)];
    if (truth && found) both++;
    if (truth || found) either++;
  }
  return both / either;
}

/** The IoU of Otsu's threshold of a mean over 5 x 5 pixels, of the whole scene. */
function plainOtsu(power: Float32Array, isWater: Uint8Array): number {
  const means = boxSum(new Float64Array(power), SIDE, SIDE, 2).map((sum) => 10 * Math.log10(sum / 25));
  const histogram = emptyHistogram(-40, 10, 200);
  for (const value of means) addToHistogram(histogram, value);
  const { threshold } = otsuSplit(histogram)!;
  return intersectionOverUnion(isWater, (i) => means[i]! < threshold);
}

export const WATER_FIELDS: readonly WaterField[] = [
  { name: "a flood over a third", waterShare: 0.34, water: [-19, -26], land: [-11, -17], relief: 1.5, hasCross: true },
  { name: "a flood of VV alone", waterShare: 0.28, water: [-19, -26], land: [-11, -17], relief: 1.5, hasCross: false },
  { name: "a rough sea", waterShare: 0.5, water: [-10, -21], land: [-9, -14], relief: 1.5, hasCross: true },
  { name: "a sea in light wind", waterShare: 0.5, water: [-16, -22], land: [-8, -14], relief: 2, hasCross: true },
  { name: "a calm noisy lake", waterShare: 0.06, water: [-22, -23], land: [-11, -17], relief: 1, hasCross: true },
];

/** IoU of water by radar, and the better one of Otsu's threshold of a 5 x 5 mean of either channel. */
export function waterScores(field: WaterField, seed: number): { own: number; otsu: number; source: unknown } {
  const { block, isWater } = drawField(field, seed);
  const { labels, source } = foundWater(block);
  return {
    own: intersectionOverUnion(isWater, (i) => labels[i] === WATER_CLASS),
    otsu: Math.max(...block.scenes[0]!.map((power) => plainOtsu(power, isWater))),
    source,
  };
}
