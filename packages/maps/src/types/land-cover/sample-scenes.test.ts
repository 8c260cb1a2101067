import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "@swath/kernel/bands/band-role";
import { sampleData } from "@swath/base/sample-data";
import { fileSource } from "@swath/raster/tiff/byte-sources";
import { openTiff } from "@swath/raster/tiff/open";
import type { AnalysisBlock, PixelRect } from "../../analysis/block.ts";
import { landCover } from "./map-type.ts";

const FILE_ROLES: readonly BandRole[] = ["A", "B", "G", "R", "RE1", "RE2", "RE3", "N", "N2", "WV", "S1", "S2"];
const ROLES: readonly BandRole[] = ["B", "G", "R", "N", "S1", "S2", "RE1"];
const { algorithm, marginPx } = landCover.analysis!;

async function planesOf(path: string): Promise<{ readonly sidePx: number; readonly planes: readonly Float64Array[] }> {
  await using source = await fileSource(path);
  await using raster = await openTiff(source);
  const planes = await raster.readRows(0, raster.heightPx, new AbortController().signal);
  return { sidePx: raster.widthPx, planes: planes.map((plane) => Float64Array.from(plane, Number)) };
}

function blockOf(planes: readonly Float32Array[], sidePx: number, core: PixelRect): AnalysisBlock {
  const rect = {
    column: core.column - marginPx,
    row: core.row - marginPx,
    columns: core.columns + 2 * marginPx,
    rows: core.rows + 2 * marginPx,
  };
  const cut = planes.map((plane) =>
    Float32Array.from({ length: rect.columns * rect.rows }, (_, i) => {
      const [x, y] = [rect.column + (i % rect.columns), rect.row + Math.floor(i / rect.columns)];
      return x >= 0 && y >= 0 && x < sidePx && y < sidePx ? plane[y * sidePx + x] : Number.NaN;
    }),
  );
  const ground = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 0, latDeg: 0 };
  return { rect, core, scenes: [cut], land: null, ground };
}

function coreOf({ rect, core }: AnalysisBlock, plane: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: core.columns * core.rows }, (_, i) => {
    const [x, y] = [i % core.columns, Math.floor(i / core.columns)];
    return plane[(core.row - rect.row + y) * rect.columns + core.column - rect.column + x];
  });
}

test("a scene that chose no limit agrees with its labels in 70 %, and blocks are parts of the whole", async (t) => {
  const [scene, labels] = ["S2L2A", "LULC_reference"].map((kind) =>
    sampleData("optical_s2", `637U_59R_1_3_${kind}.tif`),
  );
  if (scene == null || labels == null) return t.skip("sample data absent");
  const { sidePx, planes } = await planesOf(scene);
  const used = ROLES.map((role) => Float32Array.from(planes[FILE_ROLES.indexOf(role)], (value) => value / 10_000));
  const parameters = {
    roles: ROLES,
    scale: 1,
    gsdM: 10,
    gridColumns: sidePx,
    gridRows: sidePx,
    sunAzimuthDeg: null,
    sunElevationDeg: null,
    sunSource: null,
  };
  const whole = blockOf(used, sidePx, { column: 0, row: 0, columns: sidePx, rows: sidePx });
  const model = algorithm.survey!({ overview: whole, windows: [whole] }, parameters);
  const found = coreOf(whole, algorithm.compute(whole, model, parameters).layers[0] as Uint8Array);
  const part = blockOf(used, sidePx, { column: 60, row: 80, columns: 40, rows: 30 });
  const cut = coreOf(part, algorithm.compute(part, model, parameters).layers[0] as Uint8Array);
  assert.deepEqual(
    cut,
    Uint8Array.from({ length: 1200 }, (_, i) => found[(80 + Math.floor(i / 40)) * sidePx + 60 + (i % 40)]),
  );
  // Labels of Esri: 2 trees, 4 crops, 5 built, 9 rangeland.
  const classOf: Readonly<Record<number, number>> = { 2: 2, 4: 3, 5: 5, 9: 3 };
  const [truth] = (await planesOf(labels)).planes;
  const right = found.filter((value, i) => value === classOf[truth[i]]).length;
  assert.ok(right / found.length >= 0.7, `${right / found.length}`);
});
