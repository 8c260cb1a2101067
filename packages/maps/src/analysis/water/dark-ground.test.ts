import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleData } from "@swath/base/sample-data";
import { fileSource } from "@swath/raster/tiff/byte-sources";
import { openTiff } from "@swath/raster/tiff/open";
import type { AnalysisBlock } from "../block.ts";
import { blockOf } from "../clutter/radar-field-testing.ts";
import { seededGamma, seededUniform } from "../clutter/simulate-clutter.ts";
import { WATER_CLASS } from "./optical-water.ts";
import { radarWater } from "./radar-water.ts";
import { BANDS, drawField, foundWater, LOOKS, SIDE, WATER_FIELDS, waterScores } from "./water-fields-testing.ts";

for (const [seed, field] of WATER_FIELDS.entries()) {
  test(`water of ${field.name} has at least the score of Otsu's threshold of a 5 x 5 mean, and 0.80`, () => {
    const { own, otsu, source } = waterScores(field, seed + 1);
    assert.equal(source, "windows");
    assert.ok(own >= otsu && own >= 0.8, `${own} of ours, ${otsu} of Otsu`);
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
    const { labels, source } = foundWater(blockOf(SIDE, SIDE, [planes]));
    assert.equal(source, "nothing");
    assert.ok(labels.filter((label) => label === WATER_CLASS).length < 0.005 * labels.length);
  });
}

test("a lake that no window shows is learnt from the overview", () => {
  const flood = WATER_FIELDS[0];
  const { block } = drawField({ ...flood, waterShare: 0 }, 3);
  const { block: overview } = drawField(flood, 4);
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
  const block = blockOf(raster.widthPx, raster.heightPx, [planes]);
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
