import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { AnalysisBlock, AnalysisSurvey } from "../../analysis/block.ts";
import { change, type ChangeParameters } from "./change.ts";
import { UNCHANGED, VEGETATION_ADDED, VEGETATION_REMOVED, WATER_ADDED, WATER_REMOVED } from "./change-classes.ts";
import { fileSource } from "@swath/raster/tiff/byte-sources";
import { openTiff } from "@swath/raster/tiff/open";
import { sampleData } from "@swath/base/sample-data";

const WINDOW_PX = 256;

/** All pixels of both files as one block, `nodata` as NaN; null without sample data. */
async function pairBlock(
  folder: string,
  names: readonly [string, string],
  bands: readonly number[],
  nodata: number | null,
  metres: number,
): Promise<AnalysisBlock | null> {
  const scenes: Float32Array[][] = [];
  let rect = { column: 0, row: 0, columns: 0, rows: 0 };
  for (const name of names) {
    const path = sampleData(folder, name);
    if (path === null) return null;
    await using source = await fileSource(path);
    await using raster = await openTiff(source);
    rect = { column: 0, row: 0, columns: raster.widthPx, rows: raster.heightPx };
    const planes = await raster.readRows(0, raster.heightPx, AbortSignal.timeout(60_000));
    scenes.push(
      bands.map((band) => Float32Array.from(planes[band], (value) => (value === nodata ? Number.NaN : value))),
    );
  }
  const ground = { metresPerPixelX: metres, metresPerPixelY: metres, northDeg: 0, lonDeg: 10, latDeg: 45 };
  return { rect, core: rect, scenes, land: null, ground };
}

function windowsOf(block: AnalysisBlock): readonly AnalysisBlock[] {
  const { columns, rows } = block.rect;
  const windows: AnalysisBlock[] = [];
  for (let row = 0; row + WINDOW_PX <= rows; row += WINDOW_PX) {
    for (let column = 0; column + WINDOW_PX <= columns; column += WINDOW_PX) {
      const rect = { column, row, columns: WINDOW_PX, rows: WINDOW_PX };
      const scenes = block.scenes.map((planes) =>
        planes.map((plane) =>
          Float32Array.from(
            { length: WINDOW_PX * WINDOW_PX },
            (_, i) => plane[(row + Math.floor(i / WINDOW_PX)) * columns + column + (i % WINDOW_PX)],
          ),
        ),
      );
      windows.push({ ...block, rect, core: rect, scenes });
    }
  }
  return windows;
}

function changesIn(block: AnalysisBlock, parameters: ChangeParameters) {
  const survey: AnalysisSurvey = { overview: block, windows: windowsOf(block) };
  const model = change.survey!(survey, parameters);
  const { layers, objects } = change.compute(block, model, parameters);
  const shareWhere = (layer: number, holds: (value: number) => boolean): number => {
    let count = 0;
    for (const value of layers[layer]) if (holds(value)) count++;
    return count / layers[layer].length;
  };
  const share = (layer: number, ...values: readonly number[]): number =>
    shareWhere(layer, (value) => values.includes(value));
  const significant = shareWhere(0, (value) => value > 0.999);
  return { model, share, significant, objects };
}

const IRMAD: ChangeParameters = {
  method: "irmad",
  roles: [],
  calibrated: false,
  alpha: 1e-3,
  green: -1,
  red: -1,
  nir: -1,
};

/**
 * Canonical correlations of all pixels after five estimates, and the share of pixels with calibrated p < 0.001, by numpy 2
 * and scipy 1.17 (`scipy.linalg.eigh` of the generalised problem).
 */
const REAL_PAIRS = [
  {
    name: "Landsat over Juelich, May and June 2001",
    folder: "change_optical",
    files: ["LS20010525.tif", "LS20010626.tif"],
    bands: [0, 1, 2],
    nodata: null,
    metres: 28.5,
    correlations: [0.9674, 0.9019, 0.6308],
    share: 0.1107,
  },
  {
    name: "Landsat over Pucallpa, 1990 and 2010",
    folder: "change_optical",
    files: ["pucallpa_landsat_1990.tif", "pucallpa_landsat_2010.tif"],
    bands: [0, 1, 2, 3],
    nodata: 0,
    metres: 90,
    correlations: [0.9524, 0.9045, 0.8436, 0.4867],
    share: 0.197,
  },
  {
    name: "aerial images of wetlands, 2010 and 2015",
    folder: "change_optical",
    files: ["naip_m_4709963_se_14_1_20100629_crop.tif", "naip_m_4709963_se_14_1_20150926_crop.tif"],
    bands: [0, 1, 2, 3],
    nodata: 0,
    metres: 5,
    correlations: [0.9936, 0.9105, 0.7348, 0.5477],
    share: 0.1873,
  },
  {
    name: "Sentinel-2 over a mountain lake, 2017 and 2019",
    folder: "change_s2_two_dates",
    files: ["S2A2A_20170703_022_Barbellino_BOA_10.tif", "S2A2A_20190723_022_Barbellino_BOA_10.tif"],
    bands: [1, 2, 3, 7],
    nodata: 65_535,
    metres: 10,
    correlations: [0.9953, 0.9787, 0.9025, 0.5049],
    share: 0.2827,
  },
] as const;

for (const { name, folder, files, bands, nodata, metres, correlations, share } of REAL_PAIRS) {
  test(`${name}: as much changed as numpy finds`, async (t) => {
    const block = await blockOrSkip(t, folder, files, bands, nodata, metres);
    if (block === null) return;
    const { model, significant, share: shareOf } = changesIn(block, IRMAD);
    t.diagnostic(JSON.stringify({ ...change.describe!(model), significant, changed: 1 - shareOf(1, 0, UNCHANGED) }));
    assert.ok(model.method === "irmad");
    const { dx, dy } = model.coregistration;
    assert.ok(Math.hypot(dx, dy) < 0.5, `the files share one grid, got a shift of ${dx}, ${dy}`);
    for (const [k, rho] of correlations.entries()) {
      const own: number = model.irmad.correlations[k];
      assert.ok(Math.abs(own - rho) < 0.02, `correlation ${k} is ${own}, of all pixels ${rho}`);
    }
    assert.ok(Math.abs(significant - share) < 0.15 * share, `${significant} changed, of all pixels ${share}`);
  });
}

async function blockOrSkip(
  t: TestContext,
  folder: string,
  files: readonly [string, string],
  bands: readonly number[],
  nodata: number | null,
  metres: number,
): Promise<AnalysisBlock | null> {
  const block = await pairBlock(folder, files, bands, nodata, metres);
  if (block === null) t.skip("sample data absent");
  return block;
}

test("wetlands had more water in 2015: NDWI above 0.1 rose from 15.6 to 25.9 % of the pixels", async (t) => {
  const [, , naip] = REAL_PAIRS;
  const block = await blockOrSkip(t, naip.folder, naip.files, naip.bands, naip.nodata, naip.metres);
  if (block === null) return;
  const { share } = changesIn(block, { ...IRMAD, red: 0, green: 1, nir: 3 });
  t.diagnostic(`water added ${share(2, WATER_ADDED)}, removed ${share(2, WATER_REMOVED)}`);
  assert.ok(share(2, WATER_ADDED) > 5 * share(2, WATER_REMOVED));
  assert.ok(share(2, WATER_ADDED) > 0.02 && share(2, WATER_ADDED) < 0.15);
});

test("the mountain lake rose: NDWI above 0 went from 17.5 to 28.5 % of the pixels, and around it meadows were greener", async (t) => {
  const [, , , s2] = REAL_PAIRS;
  const block = await blockOrSkip(t, s2.folder, s2.files, s2.bands, s2.nodata, s2.metres);
  if (block === null) return;
  const { share } = changesIn(block, { ...IRMAD, green: 1, red: 2, nir: 3 });
  t.diagnostic(`water added ${share(2, WATER_ADDED)}, removed ${share(2, WATER_REMOVED)}`);
  t.diagnostic(`vegetation added ${share(2, VEGETATION_ADDED)}, removed ${share(2, VEGETATION_REMOVED)}`);
  assert.ok(share(2, WATER_ADDED) > 0.06 && share(2, WATER_ADDED) < 0.15);
  assert.ok(share(2, WATER_REMOVED) < 0.01);
  // The median NDVI went from 0.34 to 0.45.
  assert.ok(share(2, VEGETATION_ADDED) > share(2, VEGETATION_REMOVED));
});

function surveyed(block: AnalysisBlock) {
  return change.survey!({ overview: block, windows: windowsOf(block) }, IRMAD);
}

/** The second scene with the pixels of another place. */
function withSecondFrom(
  block: AnalysisBlock,
  from: (column: number, row: number) => readonly [column: number, row: number],
): AnalysisBlock {
  const [first, second] = block.scenes;
  assert.ok(first !== undefined && second !== undefined);
  const { columns, rows } = block.rect;
  const places = Int32Array.from({ length: columns * rows }, (_, i) => {
    const [column, row] = from(i % columns, Math.floor(i / columns)).map(Math.round);
    return Math.min(rows - 1, Math.max(0, row)) * columns + Math.min(columns - 1, Math.max(0, column));
  });
  const moved = second.map((plane) => Float32Array.from(places, (place) => plane[place] ?? Number.NaN));
  return { ...block, scenes: [first, moved] };
}

test("fields turned by 0.4 degrees are laid on each other, and torn ones are refused", async (t) => {
  const [fields] = REAL_PAIRS;
  const block = await blockOrSkip(t, fields.folder, fields.files, fields.bands, fields.nodata, fields.metres);
  if (block === null) return;
  const middle = block.rect.columns / 2;
  const angle = (0.4 * Math.PI) / 180;
  const turned = withSecondFrom(block, (column, row) => [
    middle + (column - middle) * Math.cos(angle) - (row - middle) * Math.sin(angle),
    middle + (column - middle) * Math.sin(angle) + (row - middle) * Math.cos(angle),
  ]);
  const model = surveyed(turned);
  const { tilt, status } = model.coregistration;
  assert.ok(status === "measured" && tilt !== undefined, JSON.stringify(model.coregistration));
  assert.ok(Math.abs(tilt.dxPerRow - angle) < 0.1 * angle, `${tilt.dxPerRow} of ${angle}`);
  assert.ok(Math.abs(tilt.dyPerColumn + angle) < 0.1 * angle, `${tilt.dyPerColumn} of ${-angle}`);
  assert.ok(model.method === "irmad");
  for (const [k, rho] of fields.correlations.entries()) {
    const own: number = model.irmad.correlations[k] ?? 0;
    assert.ok(Math.abs(own - rho) < 0.03, `correlation ${k} is ${own}, of the scene as it was ${rho}`);
  }
  const torn = withSecondFrom(block, (column, row) => {
    const [dx, dy] = column < middle ? (row < middle ? [9, 0] : [0, -11]) : row < middle ? [-9, 4] : [5, 12];
    return [column - (dx ?? 0), row - (dy ?? 0)];
  });
  assert.throws(() => surveyed(torn), /do not lie on each other/);
});
