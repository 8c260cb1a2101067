import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createProjection } from "@swath/kernel/crs/projection";
import { shipsOf, type SeaScene } from "./sea/sea-testing.ts";
import type { ShipParameters } from "./ships.ts";
import type { FoundObject } from "../../analysis/block.ts";
import { landMask } from "../../geography/land.ts";
import { fileSource } from "@swath/raster/tiff/byte-sources";
import { openTiff } from "@swath/raster/tiff/open";
import { sampleData } from "@swath/base/sample-data";
import { sentinel1Ambiguities } from "./radar/radar-geometry.ts";

interface TruthFeature {
  readonly properties: { readonly class: string; readonly where?: string; readonly pixel: readonly [number, number] };
}

/** Pixels of a sample with a UTM grid, and its land by the coastlines. */
async function sceneOf(path: string, zone: number, isDecibel: boolean): Promise<SeaScene> {
  await using source = await fileSource(path);
  await using raster = await openTiff(source);
  const { widthPx, heightPx, georeference } = raster;
  assert.equal(georeference.kind, "affine");
  const rows = await raster.readRows(0, heightPx, new AbortController().signal);
  const nodata = raster.bands[0]?.nodata ?? null;
  const planes = rows.map((values) =>
    Float32Array.from(values, (value) => (value === nodata ? Number.NaN : isDecibel ? 10 ** (value / 10) : value)),
  );
  const [a, , c, , e, f] = georeference.kind === "affine" ? georeference.transform : [1, 0, 0, 0, 1, 0];
  const { inverse } = createProjection(`+proj=utm +zone=${zone} +datum=WGS84 +units=m +no_defs`);
  const land = landMask(widthPx, heightPx, (column, row) => inverse(c + a * column, f + e * row));
  return { columns: widthPx, rows: heightPx, planes, land, pixelM: a };
}

function truthOf(path: string): readonly TruthFeature["properties"][] {
  const { features } = JSON.parse(readFileSync(path, "utf8")) as { readonly features: readonly TruthFeature[] };
  return features.map(({ properties }) => properties);
}

/** Ships that have been found, and objects that are none: centres closer than 200 m or the length belong together. */
function matched(
  truth: readonly TruthFeature["properties"][],
  objects: readonly FoundObject[],
  pixelM: number,
): { readonly found: number; readonly wrong: number } {
  const isNear = (object: FoundObject, { pixel }: TruthFeature["properties"]): boolean =>
    Math.hypot(object.centre[0] - pixel[0] - 0.5, object.centre[1] - pixel[1] - 0.5) * pixelM <=
    Math.max(200, Number(object.properties["lengthM"]));
  return {
    found: truth.filter((ship) => objects.some((object) => isNear(object, ship))).length,
    wrong: objects.filter((object) => !truth.some((ship) => isNear(object, ship))).length,
  };
}

test("Sentinel-1, port of Los Angeles: nine in ten ships outside the breakwater, four in five objects are ships", async (t) => {
  const path = sampleData("ships_sar", "S1_portLA_2021-01-05_VV_dB.tif");
  const truthPath = sampleData("ships_sar", "S1_portLA_2021-01-05_truth.geojson");
  if (path === null || truthPath === null) {
    t.skip("sample data absent");
    return;
  }
  const scene = await sceneOf(path, 11, true);
  const parameters: ShipParameters = {
    mode: "radar",
    pixelM: 30,
    resolutionM: 30,
    falseAlarmRate: 1e-7,
    looks: null,
    flightDeg: [-13.03, 13.03],
    ambiguityM: sentinel1Ambiguities(),
    sizeM: [30, 30],
  };
  const { objects } = shipsOf(scene, parameters);
  const ships = truthOf(truthPath).filter(({ where }) => where === "outside breakwater");
  // Rows below the breakwater and its western arm.
  const outside = objects.filter(({ centre: [column, row] }) => row > Math.max(255, 325 - 0.2 * column));
  const { found, wrong } = matched(ships, outside, 30);
  assert.equal(ships.length, 27);
  assert.ok(found >= 0.9 * ships.length, `${found} found`);
  assert.ok(outside.length - wrong >= 0.8 * outside.length, `${wrong} of ${outside.length} are none`);
});

const CROPS = [
  ["planetscope_20170719_180901_101d_crop", 10],
  ["planetscope_20171022_175534_100e_crop", 11],
] as const;

test("PlanetScope: eight in ten ships, three in five large objects are ships", async (t) => {
  let [ships, found, large, wrong] = [0, 0, 0, 0];
  for (const [name, zone] of CROPS) {
    const path = sampleData("ships_optical", `${name}.tif`);
    const truthPath = sampleData("ships_optical", `${name}_ships_truth.geojson`);
    if (path === null || truthPath === null) {
      t.skip("sample data absent");
      return;
    }
    const scene = await sceneOf(path, zone, false);
    const parameters: ShipParameters = {
      mode: "optical",
      className: "ships",
      lengthM: [0, null],
      pixelM: 3,
      roles: ["R", "G", "B"],
      isReflectance: false,
      falseAlarmRate: 1e-6,
    };
    const { objects } = shipsOf(scene, parameters);
    // The list holds ships over about 90 m only.
    const long = objects.filter(({ properties }) => Number(properties["lengthM"]) >= 90);
    const truth = truthOf(truthPath);
    const counts = matched(truth, long, 3);
    ships += truth.length;
    found += counts.found;
    large += long.length;
    wrong += counts.wrong;
  }
  assert.equal(ships, 13);
  assert.ok(found >= 0.8 * ships, `${found} found`);
  assert.ok(large - wrong >= 0.6 * large, `${wrong} of ${large} are none`);
});
