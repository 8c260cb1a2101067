import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { createProjection } from "@swath/kernel/crs/projection";
import { approximateResolution } from "@swath/kernel/scenes/approximate-resolution";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { clippedSceneId } from "@swath/kernel/scenes/scene-id";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { SourceRaster } from "@swath/raster/source-raster";
import { conformsToSource } from "@swath/raster/source/scene-source.conformance";
import type { SourceQuery } from "@swath/raster/source/scene-source";
import { createSimulatorSource } from "./simulator-source.ts";

const clock = { now: () => new Date("2026-01-01T00:00:00Z") };
const never = new AbortController().signal;

function rectangle(bounds: Bounds): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [boundsPolygon(bounds).coordinates] };
}

const PORTO: Bounds = [-8.9, 40.9, -8.3, 41.4];

for (const [provider, dataset, fromMs, toMs, absentSceneId] of [
  [
    "ee",
    "COPERNICUS/S2_HARMONIZED",
    Date.UTC(2023, 4, 1),
    Date.UTC(2023, 5, 1),
    "ee.COPERNICUS-_S2__HARMONIZED.S2A_20230501T112111_R001_F0001_C00",
  ],
  ["ee", "COPERNICUS/S1_GRD", Date.UTC(2023, 4, 1), Date.UTC(2023, 5, 1), "ee.COPERNICUS-_S1__GRD.nothing"],
  ["optical-archive", "ard", Date.UTC(2023, 4, 1), Date.UTC(2023, 6, 1), "optical--archive.ard.nothing"],
  ["radar-multi", "spotlight", Date.UTC(2023, 3, 1), Date.UTC(2023, 6, 1), "radar--multi.spotlight.nothing"],
  [
    "ee",
    "JAXA/GPM_L3/GSMaP/v6/operational",
    Date.UTC(2023, 4, 1),
    Date.UTC(2023, 4, 3),
    "ee.JAXA-_GPM__L3-_GSMaP-_v6-_operational.20230501T003000",
  ],
] as const) {
  conformsToSource({
    name: `simulator, ${dataset}`,
    open: async () => createSimulatorSource({ clock }),
    provider,
    dataset,
    extent: rectangle(PORTO),
    fromMs,
    toMs,
    absentSceneId,
  });
}

const source = createSimulatorSource({ clock });

async function newest(provider: string, dataset: string, more: Partial<SourceQuery> = {}): Promise<Scene> {
  const { scenes } = await source.search(
    {
      provider,
      dataset,
      extent: rectangle(PORTO),
      boxes: [PORTO],
      fromMs: null,
      toMs: Date.UTC(2023, 5, 1),
      after: null,
      limit: 1,
      ...more,
    },
    never,
  );
  const [scene] = scenes;
  assert.ok(scene !== undefined);
  return scene;
}

/** Longitude and latitude of the middle of the footprint, and a square so many degrees to either side. */
function middle(scene: Scene, halfDeg: number): MultiPolygon {
  const ring = scene.footprint.coordinates[0]?.[0] ?? [];
  const lons = ring.map(([lon]) => lon);
  const lats = ring.map(([, lat]) => lat);
  const lon = (Math.min(...lons) + Math.max(...lons)) / 2;
  const lat = (Math.min(...lats) + Math.max(...lats)) / 2;
  return rectangle([lon - halfDeg, lat - halfDeg, lon + halfDeg, lat + halfDeg]);
}

function transformOf(raster: SourceRaster) {
  assert.equal(raster.georeference.kind, "affine");
  return raster.georeference.kind === "affine" ? raster.georeference.transform : assert.fail();
}

test("what a band holds at a place does not depend on the window it is read through", async () => {
  for (const [provider, dataset] of [
    ["ee", "COPERNICUS/S2_HARMONIZED"],
    ["ee", "COPERNICUS/S1_GRD"],
    ["ab", "pleiades-neo"],
  ] as const) {
    const scene = await newest(provider, dataset);
    const half = dataset === "pleiades-neo" ? 0.0002 : 0.005;
    await using small = await source.open(scene, { extent: middle(scene, half) }, never);
    await using large = await source.open(scene, { extent: middle(scene, half * 3) }, never);
    assert.equal(small.rasters.length, large.rasters.length);
    for (const [index, { raster }] of small.rasters.entries()) {
      const other = large.rasters[index]?.raster;
      assert.ok(other !== undefined);
      const [a, , x, , e, y] = transformOf(raster);
      const [, , otherX, , , otherY] = transformOf(other);
      const column = Math.round((x - otherX) / a);
      const row = Math.round((y - otherY) / e);
      assert.ok(Math.abs((x - otherX) / a - column) < 1e-6 && Math.abs((y - otherY) / e - row) < 1e-6, "one grid");
      const here = await raster.readRows(1, 2, never);
      const there = await other.readRows(row + 1, 2, never);
      for (const [band, pixels] of here.entries()) {
        for (let line = 0; line < 2; line += 1) {
          const from: number = line * other.widthPx + column;
          assert.deepEqual(
            pixels.subarray(line * raster.widthPx, (line + 1) * raster.widthPx),
            there[band]?.subarray(from, from + raster.widthPx),
          );
        }
      }
    }
  }
});

test("a scene opened whole has its bands' sizes, and nodata beyond the footprint", async () => {
  const scene = await newest("ee", "COPERNICUS/S2_HARMONIZED");
  await using opened = await source.open(scene, null, never);
  const sizes = new Set(opened.rasters.map(({ raster }) => raster.widthPx));
  assert.equal(opened.rasters.length, 3);
  assert.equal(sizes.size, 3);
  const coarsest = opened.rasters.toSorted((a, b) => a.raster.widthPx - b.raster.widthPx)[0]?.raster;
  assert.ok(coarsest !== undefined);
  const [top] = await coarsest.readRows(0, 1, never);
  assert.ok(top !== undefined && top.filter((pixel) => pixel === 0).length > top.length / 2);
  const [centre] = await coarsest.readRows(Math.floor(coarsest.heightPx / 2), 1, never);
  assert.ok((centre?.[Math.floor(coarsest.widthPx / 2)] ?? 0) > 0);
});

test("metadata says what is simulated, and reflectance follows from it as the interface defines", async () => {
  const scene = await newest("ee", "LANDSAT/LC08/C02/T1");
  await using opened = await source.open(scene, { extent: middle(scene, 0.01) }, never);
  assert.match(opened.metadata.satellite, /^SIM /u);
  for (const { raster } of opened.rasters)
    assert.match(raster.metadata["TIFFTAG_COPYRIGHT"] ?? "", /^Simulated by Swath/u);
  assert.equal(opened.metadata.bands.length, scene.bands.length);
  const red = opened.metadata.bands.find(({ role }) => role === "R");
  // As Landsat collection 2 states for every scene: 2e-5 and -0.1, before the division by the sine of the sun's elevation.
  assert.ok(Math.abs((red?.reflectanceMult ?? 0) - 2e-5) < 1e-12 && Math.abs((red?.reflectanceAdd ?? 0) + 0.1) < 1e-9);
  const sentinel = await newest("ee", "COPERNICUS/S2_HARMONIZED");
  const blue = sentinel.bands.find(({ names }) => names.includes("blue"));
  const sine = Math.sin(((sentinel.sunElevation ?? 0) * Math.PI) / 180);
  assert.ok(Math.abs((blue?.reflectanceMult ?? 0) / sine - 1e-4) < 1e-7);
});

test("radiance of Landsat-like and archive scenes has their reflectance by the solar irradiance", async () => {
  // Both factors that the product LC08_L1TP_008059_20191201 states, and its distance from the sun.
  const stated = { B: 1.3223e-2 / 2e-5, N: 6.2877e-3 / 2e-5, S2: 5.2705e-4 / 2e-5 };
  const statedAu = 0.9860755;
  const landsat = await newest("ee", "LANDSAT/LC08/C02/T1");
  const days = (Date.parse(`${landsat.datetime.replace(" ", "T")}Z`) - Date.UTC(2000, 0, 1, 12)) / 86_400_000;
  const g = ((357.529 + 0.98560028 * days) * Math.PI) / 180;
  const distanceAu = 1.00014 - 0.01671 * Math.cos(g) - 0.00014 * Math.cos(2 * g);
  for (const [name, ratio] of [
    ["blue", stated.B],
    ["near-ir", stated.N],
    ["swir2", stated.S2],
  ] as const) {
    const {
      radianceMult = 0,
      radianceAdd = 0,
      reflectanceMult = 0,
      reflectanceAdd = 0,
    } = landsat.bands.find(({ names }) => names.includes(name)) ?? {};
    const expected = ratio * (statedAu / distanceAu) ** 2;
    assert.ok(Math.abs(radianceMult / reflectanceMult / expected - 1) < 2e-3, `${name}: ${radianceMult}`);
    assert.ok(Math.abs(radianceAdd / radianceMult - reflectanceAdd / reflectanceMult) < 1e-6, name);
  }
  assert.equal(landsat.bands.find(({ names }) => names.includes("thermal1"))?.radianceMult, undefined);
  for (const [provider, dataset] of [
    ["ee", "LANDSAT/LE07/C02/T1"],
    ["optical-archive", "ard"],
    ["optical-archive", "ortho_4ps"],
    ["optical-legacy", "idaho-pansharpened"],
  ] as const) {
    const scene = await newest(provider, dataset);
    const reflective = scene.bands.filter(({ reflectanceMult }) => reflectanceMult !== undefined);
    assert.ok(reflective.length >= 4 && reflective.every(({ radianceMult }) => (radianceMult ?? 0) > 0), dataset);
    await using opened = await source.open(scene, { extent: middle(scene, 0.0005) }, never);
    assert.deepEqual(
      opened.metadata.bands.map(({ radianceMult }) => radianceMult),
      scene.bands.map(({ radianceMult }) => radianceMult),
    );
  }
});

test("scenes of pl state their quality, and only they", async () => {
  const at = { provider: "pl", extent: rectangle(PORTO), boxes: [PORTO], after: null, limit: 1000 };
  const period = { fromMs: Date.UTC(2023, 3, 1), toMs: Date.UTC(2023, 4, 1) };
  const { scenes } = await source.search({ ...at, dataset: "PSScene", ...period }, never);
  const ratios = scenes.map(({ anomalousRatio }) => anomalousRatio ?? assert.fail());
  assert.ok(ratios.every((ratio) => ratio >= 0 && ratio <= 1) && Math.max(...ratios) > 0.1, `${Math.max(...ratios)}`);
  assert.ok(ratios.filter((ratio) => ratio === 0).length > ratios.length / 4);
  for (const flag of ["sensorQualityFlag", "groundControlFlag"] as const) {
    const share = scenes.filter((scene) => scene[flag]).length / scenes.length;
    assert.ok(share > 0.7 && share < 1, `${flag}: ${share}`);
  }
  const [scene] = scenes;
  assert.ok(scene !== undefined);
  await using opened = await source.open(scene, { extent: middle(scene, 0.001) }, never);
  assert.equal(opened.metadata.anomalousRatio, scene.anomalousRatio);
  assert.equal(opened.metadata.groundControlFlag, scene.groundControlFlag);
  const other = await newest("ee", "COPERNICUS/S2_HARMONIZED");
  assert.equal("anomalousRatio" in other || "groundControlFlag" in other, false);
});

test("approximate resolutions are those of the general formula", async () => {
  for (const [provider, dataset] of [
    ["ee", "COPERNICUS/S1_GRD"],
    ["pl", "PSScene"],
    ["optical-legacy", "idaho-pansharpened"],
  ] as const) {
    const scene = await newest(provider, dataset);
    await using opened = await source.open(scene, null, never);
    const raster = opened.rasters[0]?.raster;
    const [band] = scene.bands;
    assert.ok(band !== undefined && raster?.crs !== undefined && raster.crs !== null);
    const x = band.crsOriginX + (raster.widthPx * band.pixelSizeX) / 2;
    const y = band.crsOriginY + (raster.heightPx * band.pixelSizeY) / 2;
    const expected = approximateResolution(raster.crs.proj4, x, y, band.pixelSizeX, band.pixelSizeY);
    assert.ok(Math.abs(band.approximateResolutionX - expected.approximateResolutionX) < 0.011, dataset);
    assert.ok(Math.abs(band.approximateResolutionY - expected.approximateResolutionY) < 0.011, dataset);
  }
});

test("an extent across the antimeridian opens the side the scene is on", async () => {
  const box: Bounds = [179.9, -17, 180.1, -16.8];
  const scene = await newest("ee", "COPERNICUS/S1_GRD", { boxes: [box], extent: rectangle(box) });
  const halves: MultiPolygon = {
    type: "MultiPolygon",
    coordinates: [
      ...rectangle([179.95, -17, 180, -16.9]).coordinates,
      ...rectangle([-180, -17, -179.95, -16.9]).coordinates,
    ],
  };
  await using opened = await source.open(scene, { extent: halves }, never);
  for (const { raster } of opened.rasters) {
    assert.ok(raster.widthPx < 2000 && raster.heightPx < 2000, `${raster.widthPx} x ${raster.heightPx}`);
    assert.ok(raster.crs !== null);
    const [, , x, , , y] = transformOf(raster);
    const [lon] = createProjection(raster.crs.proj4).inverse(x, y);
    assert.ok(Math.abs(Math.abs(lon) - 180) < 0.2, `${lon}`);
  }
});

test("scenes that do not exist or not yet, clipped children and windows beside the scene are refused", async () => {
  const scene = await newest("ab", "spot");
  const child = clippedSceneId(scene.sceneId, "0".repeat(24));
  assert.equal(await source.scene(child, never), null);
  await assert.rejects(source.open({ ...scene, sceneId: child }, null, never), { code: "NON-EXISTING-SCENE" });
  await assert.rejects(source.open(scene, { extent: rectangle([20, 50, 21, 51]) }, never), {
    code: "EXTENT-HAS-NO-INTERSECTION",
  });
  const early = createSimulatorSource({ clock: { now: () => new Date("2020-01-01T00:00:00Z") } });
  assert.equal(await early.scene(scene.sceneId, never), null);
  await assert.rejects(newest("local", "uploads"), { code: "DATASET-NOT-SUPPORTED-FOR-SEARCH" });
});

test("thumbnails are small pictures of every kind of scene", async () => {
  for (const [provider, dataset] of [
    ["ee", "COPERNICUS/S2_SR_HARMONIZED"],
    ["ee", "COPERNICUS/S1_GRD"],
    ["ee", "JAXA/GPM_L3/GSMaP/v6/operational"],
  ] as const) {
    const picture = await source.thumbnail(await newest(provider, dataset), never);
    assert.ok(picture !== null);
    assert.equal(picture.mediaType, "image/png");
    const view = Buffer.from(picture.body);
    assert.equal(view.toString("latin1", 1, 4), "PNG");
    const [width, height] = [view.readUInt32BE(16), view.readUInt32BE(20)];
    assert.ok(Math.max(width, height) <= 512 && Math.max(width, height) > 256, `${width} x ${height}`);
  }
});

test("reading a wide scene ends when it is aborted", async () => {
  const scene = await newest("ee", "COPERNICUS/S1_GRD");
  await using opened = await source.open(scene, null, never);
  const raster = opened.rasters[0]?.raster;
  assert.ok(raster !== undefined);
  const controller = new AbortController();
  const reading = raster.readRows(Math.floor(raster.heightPx / 2), 256, controller.signal);
  controller.abort(new Error("given up"));
  await assert.rejects(reading, /given up/u);
});
