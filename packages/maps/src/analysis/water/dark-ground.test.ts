import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleData } from "@swath/base/sample-data";
import { fileSource } from "@swath/raster/tiff/byte-sources";
import { openTiff } from "@swath/raster/tiff/open";
import type { AnalysisBlock } from "../block.ts";
import { smoothField, windingShape } from "../clutter/radar-field-testing.ts";
import { seededGamma, seededNormal, seededUniform } from "../clutter/simulate-clutter.ts";
import { boxSum } from "../texture/box-sum.ts";
import { WATER_CLASS } from "./optical-water.ts";
import { addToHistogram, emptyHistogram, otsuSplit } from "./otsu.ts";
import { radarWater } from "./radar-water.ts";

const SIDE = 384;
const LOOKS = 4.4;
const BANDS = ["VV", "VH"] as const;

type Levels = readonly [vv: number, vh: number];

interface Simulated {
  readonly name: string;
  /** Share of water, with shores that wind. */
  readonly waterShare: number;
  readonly water: Levels;
  readonly land: Levels;
  /** Standard deviation of the land's decibels over some hundred metres. */
  readonly relief: number;
  readonly hasCross: boolean;
}

interface Scene {
  readonly block: AnalysisBlock;
  readonly isWater: Uint8Array;
}

function blockOf(columns: number, rows: number, planes: readonly Float32Array[]): AnalysisBlock {
  const rect = { column: 0, row: 0, columns, rows };
  const ground = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 9, latDeg: 49 };
  return { rect, core: rect, scenes: [planes], land: null, ground };
}

function simulate({ waterShare, water, land, relief, hasCross }: Simulated, seed: number): Scene {
  const uniform = seededUniform(seed);
  const normal = seededNormal(uniform);
  const speckle = seededGamma(LOOKS, uniform);
  const isWater = windingShape(SIDE, waterShare, normal);
  const rough = smoothField(SIDE, 5, normal);
  const planes = BANDS.slice(0, hasCross ? 2 : 1).map((_, band) =>
    Float32Array.from(isWater, (wet, i) => {
      const db = wet === 1 ? water[band] : land[band] + relief * rough[i];
      return 10 ** (db / 10) * speckle();
    }),
  );
  return { block: blockOf(SIDE, SIDE, planes), isWater };
}

function foundWater(block: AnalysisBlock): { readonly labels: Uint8Array; readonly source: unknown } {
  const parameters = {
    hasCross: block.scenes[0].length > 1,
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

/** The score of Otsu's threshold of a mean over 5 x 5 pixels, of the whole scene. */
function plainOtsu(power: Float32Array, isWater: Uint8Array): number {
  const means = boxSum(new Float64Array(power), SIDE, SIDE, 2).map((sum) => 10 * Math.log10(sum / 25));
  const histogram = emptyHistogram(-40, 10, 200);
  for (const value of means) addToHistogram(histogram, value);
  const { threshold } = otsuSplit(histogram)!;
  return intersectionOverUnion(isWater, (i) => means[i] < threshold);
}

const SCENES: readonly Simulated[] = [
  { name: "a flood over a third", waterShare: 0.34, water: [-19, -26], land: [-11, -17], relief: 1.5, hasCross: true },
  { name: "a flood of VV alone", waterShare: 0.28, water: [-19, -26], land: [-11, -17], relief: 1.5, hasCross: false },
  { name: "a rough sea", waterShare: 0.5, water: [-10, -21], land: [-9, -14], relief: 1.5, hasCross: true },
  { name: "a sea in light wind", waterShare: 0.5, water: [-16, -22], land: [-8, -14], relief: 2, hasCross: true },
  { name: "a calm noisy lake", waterShare: 0.06, water: [-22, -23], land: [-11, -17], relief: 1, hasCross: true },
];

for (const [seed, scene] of SCENES.entries()) {
  test(`water of ${scene.name} has at least the score of Otsu's threshold of a 5 x 5 mean, and 0.80`, () => {
    const { block, isWater } = simulate(scene, seed + 1);
    const { labels, source } = foundWater(block);
    const own = intersectionOverUnion(isWater, (i) => labels[i] === WATER_CLASS);
    const plain = Math.max(...block.scenes[0].map((power) => plainOtsu(power, isWater)));
    assert.equal(source, "windows");
    assert.ok(own >= plain && own >= 0.8, `${own} of ours, ${plain} of Otsu`);
  });
}

for (const seed of [9, 10, 11, 12]) {
  test(`fields of many levels without water have no water, and teach nothing (seed ${seed})`, () => {
    const uniform = seededUniform(seed);
    const speckle = seededGamma(LOOKS, uniform);
    const levels = Float64Array.from({ length: 400 }, () => -16 + 8 * uniform());
    const planes = BANDS.map((_, band) =>
      Float32Array.from({ length: SIDE * SIDE }, (_none, i) => {
        const field = Math.floor((i % SIDE) / 24) * 20 + Math.floor(i / SIDE / 24);
        return 10 ** ((levels[field] - 6.5 * band) / 10) * speckle();
      }),
    );
    const { labels, source } = foundWater(blockOf(SIDE, SIDE, planes));
    assert.equal(source, "nothing");
    assert.ok(labels.filter((label) => label === WATER_CLASS).length < 0.005 * labels.length);
  });
}

test("a lake that no window shows is learnt from the overview", () => {
  const land = { ...SCENES[0], waterShare: 0 };
  const { block } = simulate(land, 3);
  const { block: overview } = simulate(SCENES[0], 4);
  const parameters = { hasCross: true, powerScales: [1, 1], gsdM: 10, looks: LOOKS };
  assert.equal(radarWater.survey({ overview, windows: [block] }, parameters).learntFrom, "overview");
  assert.equal(radarWater.survey({ overview: block, windows: [block] }, parameters).learntFrom, "nothing");
});

/** All pixels of a sample in decibels; null without sample data. */
async function sampleBlock(folder: string, name: string, metres: number): Promise<AnalysisBlock | null> {
  const path = sampleData(folder, name);
  if (path === null) return null;
  await using source = await fileSource(path);
  await using raster = await openTiff(source);
  const rows = await raster.readRows(0, raster.heightPx, AbortSignal.timeout(60_000));
  const planes = rows.map((values) =>
    Float32Array.from(values, (value) => (value === 0 ? Number.NaN : 10 ** (value / 10))),
  );
  const block = blockOf(raster.widthPx, raster.heightPx, planes);
  return { ...block, ground: { ...block.ground, metresPerPixelX: metres, metresPerPixelY: metres } };
}

test("Sentinel-1 scenes of fields without open water have none", async (t) => {
  for (const [folder, name] of [
    ["sar_s1", "637U_59R_1_3_S1RTC.tif"],
    ["more", "38D_378R_2_3_S1RTC.tif"],
  ] as const) {
    const block = await sampleBlock(folder, name, 10);
    if (block === null) {
      t.skip("sample data absent");
      return;
    }
    const { labels } = foundWater(block);
    const found = labels.filter((label) => label === WATER_CLASS).length / labels.length;
    assert.ok(found < 0.005, `${name}: ${found}`);
  }
});

test("Sentinel-1, port of Los Angeles: the sea is water, and the town is not", async (t) => {
  const block = await sampleBlock("ships_sar", "S1_portLA_2021-01-05_VV_dB.tif", 30);
  if (block === null) {
    t.skip("sample data absent");
    return;
  }
  const { labels } = foundWater(block);
  const share = (left: number, top: number, columns: number, rows: number): number => {
    let count = 0;
    for (let row = top; row < top + rows; row++) {
      for (let column = left; column < left + columns; column++) {
        if (labels[row * block.rect.columns + column] === WATER_CLASS) count++;
      }
    }
    return count / (columns * rows);
  };
  assert.ok(share(20, 330, 640, 200) > 0.97, `${share(20, 330, 640, 200)}`);
  assert.ok(share(380, 10, 170, 70) < 0.01, `${share(380, 10, 170, 70)}`);
});
