import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "@swath/kernel/bands/band-role";
import type { BandQuantity } from "@swath/kernel/scenes/stored-raster";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { PlannedScene } from "../../planning/planned-scene.ts";
import { createMapTypes } from "../../registry.ts";
import { planShips } from "./plan.ts";
import { flightDirections, sentinel1Ambiguities } from "./radar/radar-geometry.ts";

function scene(
  roles: readonly (BandRole | null)[],
  pixelM: number,
  quantity: BandQuantity,
  more: Partial<Scene> = {},
): PlannedScene {
  return {
    scene: {
      sceneId: "s",
      foreignId: "s",
      provider: "local",
      dataset: "uploads",
      satellite: "SENTINEL-1A",
      datetime: "2021-01-05 01:50:00",
      crsEpsg: 32_611,
      footprint: {
        type: "MultiPolygon",
        coordinates: [
          [
            [
              [-118, 33],
              [-118, 34],
              [-117, 34],
              [-118, 33],
            ],
          ],
        ],
      },
      areaKm2: 1,
      bands: roles.map((role) => ({
        names: [role ?? "Band 1"],
        bitDepth: 16,
        gsd: pixelM,
        pixelSizeX: pixelM,
        pixelSizeY: -pixelM,
        crsOriginX: 0,
        crsOriginY: 0,
        approximateResolutionX: pixelM,
        approximateResolutionY: pixelM,
      })),
      ...more,
    },
    raster: {
      proj4: "+proj=utm +zone=11",
      controlGrid: null,
      bands: roles.map((role) => ({
        key: "k",
        role,
        quantity,
        dataType: "float32",
        widthPx: 100,
        heightPx: 100,
        geotransform: [pixelM, 0, 0, 0, -pixelM, 0],
        nodata: null,
        maskKey: null,
        statistics: { validPixels: 1, min: 0, max: 1, mean: 0, std: 0, p005: 0, p05: 0, p50: 0, p95: 0, p995: 0 },
        palette: null,
      })),
    },
    roles,
  };
}

test("radar scenes are searched by radar in every polarisation, with the looks of the product", () => {
  const plan = planShips([scene(["VH", "VV"], 10, "backscatter-linear")]);
  assert.ok(plan.accepted);
  assert.deepEqual(plan.planes[0], [
    { position: 1, quantity: "power", resampling: "smooth" },
    { position: 0, quantity: "power", resampling: "smooth" },
  ]);
  assert.equal(plan.reduction, 1);
  assert.equal(plan.parameters.mode, "radar");
  assert.equal(plan.parameters.looks, 4.4);
  assert.equal(plan.parameters.resolutionM, 22);
});

test("resampled radar is asked for its looks, and fine radar is averaged", () => {
  const coarse = planShips([scene([null], 30, "backscatter-db")]);
  assert.ok(coarse.accepted);
  assert.equal(coarse.parameters.mode === "radar" && coarse.parameters.looks, null);
  const fine = planShips([scene(["HH"], 1, "backscatter-linear", { satellite: "UMBRA-05" })]);
  assert.ok(fine.accepted);
  assert.equal(fine.reduction, 7);
  assert.equal(fine.parameters.pixelM, 7);
  assert.deepEqual(fine.parameters.mode === "radar" && fine.parameters.ambiguityM, []);
});

test("optical scenes are searched by sight with the bands they have", () => {
  const plan = planShips([scene(["R", "G", "B"], 3, "display", { satellite: "PlanetScope" })]);
  assert.ok(plan.accepted);
  assert.equal(plan.parameters.mode, "optical");
  assert.deepEqual(plan.parameters.roles, ["B", "G", "R"]);
  assert.equal(plan.parameters.isReflectance, false);
  const fine = planShips([scene(["B", "G", "R", "N"], 0.5, "reflectance")]);
  assert.ok(fine.accepted);
  assert.equal(fine.reduction, 5);
  assert.equal(fine.parameters.mode === "optical" && fine.parameters.isReflectance, true);
});

test("colours alone are refused in pixels of ten metres, and the refusal names the missing band", () => {
  const coarse = planShips([scene(["B", "G", "R"], 10, "reflectance")]);
  assert.ok(!coarse.accepted);
  assert.match(coarse.errorMessage, /near infrared/);
  assert.ok(planShips([scene(["B", "G", "R", "N"], 10, "reflectance")]).accepted);
});

const timesOf = (pixelM: number, satellite: string): unknown => {
  const plan = planShips([scene(["B", "G", "R", "N"], pixelM, "reflectance", { satellite })]);
  if (!plan.accepted) return plan.errorCode;
  return plan.parameters.mode === "optical" ? plan.parameters.parallaxS : "radar";
};

test("times of the bands are known of Sentinel-2 at ten metres only", () => {
  assert.deepEqual(timesOf(10, "SENTINEL-2"), [0.527, 1.005]);
  assert.equal(timesOf(20, "SENTINEL-2"), undefined);
  assert.equal(timesOf(10, "Landsat 8"), undefined);
});

function refusal(planned: PlannedScene): string {
  const plan = planShips([planned]);
  assert.ok(!plan.accepted);
  return plan.errorCode;
}

test("what cannot show ships is refused", () => {
  assert.equal(refusal(scene(["R", "N"], 10, "reflectance")), "UNSUPPORTED-IMAGERY");
  assert.equal(refusal(scene([null], 10, "class")), "UNSUPPORTED-IMAGERY");
  assert.equal(refusal(scene(["VV"], 80, "backscatter-linear")), "GSD-TOO-COARSE");
  assert.equal(refusal(scene(["B", "G", "R"], 60, "reflectance")), "GSD-TOO-COARSE");
});

function at(latDeg: number, more: Partial<Scene>): readonly number[] {
  return flightDirections({
    footprint: {
      type: "MultiPolygon",
      coordinates: [
        [
          [
            [0, latDeg],
            [1, latDeg],
            [1, latDeg],
            [0, latDeg],
          ],
        ],
      ],
    },
    ...more,
  });
}

test("the direction of flight follows from the pass and the latitude", () => {
  // Sentinel-1 annotations: platformHeading -12.2 on the equator ascending, -167.8 descending.
  const [ascending] = at(0, { orbitPass: "ascending" });
  assert.ok(Math.abs(ascending + 12.2) < 1, `${ascending}`);
  assert.deepEqual(at(0, { orbitPass: "descending" }), [-ascending]);
  assert.equal(at(50, {}).length, 2);
  assert.deepEqual(at(85, { orbitPass: "ascending" }), []);
});

test("azimuth ambiguities of Sentinel-1 lie about five kilometres away", () => {
  for (const metres of sentinel1Ambiguities()) assert.ok(metres > 4500 && metres < 6500);
});

test("8-bit radar pictures are refused by every map type that counts with power, with the reason", () => {
  const calibrated = scene(["VV", "VH"], 10, "backscatter-linear");
  const bands = calibrated.raster.bands.map((band) => ({ ...band, dataType: "uint8" as const }));
  const picture: PlannedScene = { ...calibrated, raster: { ...calibrated.raster, bands } };
  const pair = [calibrated, picture];
  for (const [mapTypeId, scenes] of [
    ["ships", [picture]],
    ["water", [picture]],
    ["wrun", [picture]],
    ["change", pair],
    ["change-series", pair],
  ] as const) {
    const analysis = createMapTypes([]).find(mapTypeId)?.analysis;
    const plan = analysis?.plan(scenes);
    assert.ok(plan !== undefined && !plan.accepted, mapTypeId);
    assert.match(plan.errorMessage, /band VV of scene s is an 8-bit picture of unknown scale$/);
    assert.ok(analysis?.plan(scenes.map(() => calibrated)).accepted, mapTypeId);
  }
});
