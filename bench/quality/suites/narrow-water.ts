import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { classPlane } from "../classes.ts";
import { blockConfusions, overallAccuracy, type Confusion } from "../confusion.ts";
import { atLeast, figuresOf } from "../cover-figures.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import { middleLine, near } from "../near.ts";
import type { QualityBench } from "../quality-bench.ts";
import { filePixels, SENTINEL_2_L2A } from "../samples.ts";

const MAP_TYPES = ["wrunc", "water"] as const;
const WITH_RIVER = "433D_629L_3_1";
const DRY = "637U_59R_1_3";
/** Of Esri. */
const WATER_LABEL = 1;
/** Labels and pixels agree to so many pixels of 10 m. */
const TOLERANCE_PX = 2;
const BLOCK_PX = 28;
const MOST_DRY_WATER: Bar = { kind: "at-most", value: 0.001 };

function pixelsOf(mask: Uint8Array): string {
  return `${mask.reduce((sum, set) => sum + set, 0)} px`;
}

/** One confusion per square of the pixels of `of`: whether they are in `within`. */
function sharesWithin(of: Uint8Array, within: Uint8Array, widthPx: number): readonly Confusion[] {
  const labelled = {
    widthPx,
    heightPx: of.length / widthPx,
    truthAt: (pixel: number) => (of[pixel] === 1 ? 1 - within[pixel]! : -1),
    foundAt: () => 0,
  };
  return blockConfusions(["within", "beyond"], labelled, BLOCK_PX);
}

async function waterOf(bench: QualityBench, mapType: string, name: string): Promise<Uint8Array | string> {
  const path = sampleData("optical_s2", `${name}_S2L2A.tif`);
  if (path === null) return "sample data absent";
  const outcome = await bench.run(mapType, [await bench.ingest(path, SENTINEL_2_L2A)]);
  if (outcome.kind === "refused") return outcome.reason;
  const { nameAt, widthPx, heightPx } = classPlane(mapType, outcome.result);
  return Uint8Array.from({ length: widthPx * heightPx }, (_, pixel) => (nameAt(pixel) === "water" ? 1 : 0));
}

/** How well a river that is narrower than its labels is followed. */
async function river(bench: QualityBench, mapType: string): Promise<readonly Figure[]> {
  const like = { mapType, page: mapType, data: `Sentinel-2 ${WITH_RIVER}, Esri labels` };
  const metrics = ["water found within 20 m of labelled", "middle line of labelled within 20 m of found"] as const;
  const missing = (reason: string): readonly Figure[] =>
    metrics.map((metric) => absent({ ...like, metric, bar: null }, reason));
  const labels = sampleData("optical_s2", `${WITH_RIVER}_LULC_reference.tif`);
  const found = await waterOf(bench, mapType, WITH_RIVER);
  if (typeof found === "string") return missing(found);
  if (labels === null) return missing("sample data absent");
  const { bands, widthPx } = await filePixels(labels);
  const labelled = Uint8Array.from(bands[0]!, (label) => (label === WATER_LABEL ? 1 : 0));
  const middle = middleLine(labelled, widthPx);
  return [
    ...figuresOf(like, sharesWithin(found, near(labelled, widthPx, TOLERANCE_PX), widthPx), pixelsOf(found), [
      { metric: metrics[0], of: overallAccuracy, bar: atLeast(0.9) },
    ]),
    ...figuresOf(like, sharesWithin(middle, near(found, widthPx, TOLERANCE_PX), widthPx), pixelsOf(middle), [
      { metric: metrics[1], of: overallAccuracy, bar: atLeast(0.9) },
    ]),
  ];
}

/** How much of a scene without water is taken for it. */
async function dry(bench: QualityBench, mapType: string): Promise<Figure> {
  const like = { mapType, page: mapType, data: `Sentinel-2 ${DRY}, no water`, bar: MOST_DRY_WATER };
  const metric = "share taken for water";
  const found = await waterOf(bench, mapType, DRY);
  if (typeof found === "string") return absent({ ...like, metric }, found);
  const share = found.reduce((sum, set) => sum + set, 0) / found.length;
  return { ...like, metric, value: share, interval: null, over: "50 176 px" };
}

export async function narrowWaterFigures(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const mapType of MAP_TYPES) figures.push(...(await river(bench, mapType)), await dry(bench, mapType));
  return figures;
}
