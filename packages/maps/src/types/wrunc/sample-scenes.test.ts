import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock } from "../../analysis/block.ts";
import type { BandRole } from "@swath/kernel/bands/band-role";
import { fileSource } from "@swath/raster/tiff/byte-sources";
import { openTiff } from "@swath/raster/tiff/open";
import { sampleData } from "@swath/base/sample-data";
import { wrunc } from "./map-type.ts";

const FILE_ROLES: readonly BandRole[] = ["A", "B", "G", "R", "RE1", "RE2", "RE3", "N", "N2", "WV", "S1", "S2"];
const ROLES: readonly BandRole[] = ["B", "G", "R", "N", "S1", "S2", "RE1"];
const { algorithm, marginPx } = wrunc.analysis!;

async function planesOf(path: string): Promise<{ readonly sidePx: number; readonly planes: readonly Float64Array[] }> {
  await using source = await fileSource(path);
  await using raster = await openTiff(source);
  const planes = await raster.readRows(0, raster.heightPx, new AbortController().signal);
  return { sidePx: raster.widthPx, planes: planes.map((plane) => Float64Array.from(plane, Number)) };
}

/** Labels are those of Esri: 1 water, 5 built; the rest is nonurban. */
function classOfLabel(label: number): number {
  if (label === 1) return 1;
  return label === 5 ? 3 : 4;
}

/** The water of the second scene is none, and of the first a river that the labels draw wider than it is. */
for (const [name, leastAccuracy, leastWater] of [
  ["433D_629L_3_1", 0.82, 0.58],
  ["637U_59R_1_3", 0.95, null],
] as const) {
  test(`the Sentinel-2 scene ${name} agrees with its labels in ${leastAccuracy * 100} % of the pixels and more`, async (t) => {
    const scene = sampleData("optical_s2", `${name}_S2L2A.tif`);
    const labels = sampleData("optical_s2", `${name}_LULC_reference.tif`);
    if (scene === null || labels === null) return t.skip("sample data absent");
    const { sidePx, planes } = await planesOf(scene);
    const [truth] = (await planesOf(labels)).planes;
    const rect = { column: 0, row: 0, columns: sidePx, rows: sidePx };
    const block: AnalysisBlock = {
      rect,
      core: rect,
      scenes: [ROLES.map((role) => Float32Array.from(planes[FILE_ROLES.indexOf(role)], (value) => value / 10_000))],
      land: null,
      ground: { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 0, latDeg: 0 },
    };
    const parameters = { roles: ROLES, scale: 1, gsdM: 10, gridColumns: sidePx, gridRows: sidePx };
    const model = algorithm.survey!({ overview: block, windows: [block] }, parameters);
    const [found] = algorithm.compute(block, model, parameters).layers;
    const counts = { right: 0, water: 0, both: 0, either: 0 };
    for (let i = 0; i < found.length; i++) {
      const label = classOfLabel(truth[i]);
      if (found[i] === label) counts.right++;
      if (found[i] === 1) counts.water++;
      if (found[i] === 1 && label === 1) counts.both++;
      if (found[i] === 1 || label === 1) counts.either++;
    }
    assert.ok(counts.right / found.length >= leastAccuracy, `${counts.right / found.length}`);
    if (leastWater === null) assert.equal(counts.water, 0);
    else assert.ok(counts.both / counts.either >= leastWater, `${counts.both / counts.either}`);
    assert.ok(marginPx >= 32);
  });
}
