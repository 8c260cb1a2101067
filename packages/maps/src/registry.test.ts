import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "@swath/kernel/bands/band-role";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { PlannedScene } from "./planning/planned-scene.ts";
import { manifest } from "./models/model-manifest-testing.ts";
import { createMapTypes } from "./registry.ts";

const mapTypes = createMapTypes([]);

const descriptors = mapTypes.all;

function scene(bands: number): Scene {
  return { sceneId: "s", bands: Array.from({ length: bands }, () => ({})) } as unknown as Scene;
}

test("every map type keeps the rules of its descriptor", () => {
  assert.ok(descriptors.length >= 280, "an index each, and the analyses");
  assert.equal(descriptors.length, new Set(descriptors.map(({ id }) => id)).size);
  for (const descriptor of descriptors) {
    const { id, gridFiles, rendering, version, settings } = descriptor;
    assert.match(id, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    assert.ok(version > 372, "tiles of 512 pixels");
    assert.ok(descriptor.description.length > 10);
    assert.match(descriptor.permissionNamespace, /^(?:imagery\.images|algorithms\.[a-z0-9-]+)$/);
    assert.deepEqual(
      Object.values(gridFiles).flat().toSorted(),
      Object.keys(rendering.products).toSorted(),
      `${id}: every listed file is drawn and every drawn file is listed`,
    );
    for (const name of Object.values(gridFiles).flat()) assert.match(name, /^[a-z0-9_-]+\.[a-z]+$/);
    assert.ok(settings.minSizePx >= 1 && settings.marginPx >= 0 && settings.marginM >= 0);
    assert.ok(descriptor.datasetTypes.length > 0);
    assert.deepEqual(structuredClone(rendering), rendering, "a rendering can travel to another thread");
    if (rendering.kind === "index") assert.ok(rendering.range[1] > rendering.range[0]);
  }
});

test("map types of models are those of one value alone, each id once", () => {
  const withModel = createMapTypes([manifest({ id: "barns" })]);
  assert.equal(withModel.find("model-barns")?.permissionNamespace, "algorithms.model-barns");
  assert.equal(withModel.all.length, mapTypes.all.length + 1);
  assert.equal(withModel.faultOf("model-barns"), null);
  assert.equal(mapTypes.find("model-barns"), undefined);
  assert.equal(mapTypes.faultOf("model-barns"), "there is no map type model-barns");
  assert.throws(() => createMapTypes([manifest({ id: "barns" }), manifest({ id: "barns" })]), RangeError);
});

test("imagery takes any scene with bands", () => {
  const imagery = mapTypes.find("imagery");
  assert.deepEqual(imagery?.accepts(scene(1), [null]), { accepted: true });
  const refused = imagery?.accepts(scene(0), []);
  assert.ok(refused !== undefined && !refused.accepted);
  assert.equal(refused.errorCode, "UNSUPPORTED-IMAGERY");
});

test("an index takes scenes with its bands and says which are missing", () => {
  const roles: readonly (BandRole | null)[] = ["B", "G", "R", "N"];
  const accepted = descriptors.filter((descriptor) => descriptor.accepts(scene(4), roles).accepted).map(({ id }) => id);
  for (const id of ["imagery", "ndvi", "evi", "savi", "ndwi", "vari", "kndvi"]) assert.ok(accepted.includes(id), id);
  for (const id of ["ndmi", "nbr", "mndwi", "bais2", "dprvivv"]) assert.ok(!accepted.includes(id), id);
  const refused = mapTypes.find("ndmi")?.accepts(scene(4), roles);
  assert.ok(refused !== undefined && !refused.accepted);
  assert.equal(refused.errorMessage, "ndmi needs the bands N, S1; scene s lacks S1");
});

/** A scene with pixels of so many metres, as a plan looks at it. */
function planned(satellite: string, roles: readonly BandRole[], pixelM: number, day: number): PlannedScene {
  const quantity = roles.includes("VV") ? "backscatter-linear" : "reflectance";
  return {
    scene: {
      sceneId: `day-${day}`,
      satellite,
      dataset: "uploads",
      datetime: `2021-01-${String(day).padStart(2, "0")} 12:00:00`,
      footprint: { type: "MultiPolygon", coordinates: [] },
      bands: roles.map((role) => ({
        names: [role],
        gsd: pixelM,
        approximateResolutionX: pixelM,
        approximateResolutionY: pixelM,
      })),
    },
    raster: { bands: roles.map(() => ({ quantity, widthPx: 1, heightPx: 1, statistics: { p005: 0, p995: 1 } })) },
    roles,
  } as unknown as PlannedScene;
}

const SENSORS: readonly (readonly [satellite: string, roles: readonly BandRole[]])[] = [
  ["SENTINEL-2", ["A", "B", "G", "R", "RE1", "RE2", "RE3", "N", "N2", "C", "S1", "S2"]],
  ["SENTINEL-1", ["VV", "VH"]],
];

test("the coarsest pixels that a listing states are the coarsest that an analysis takes", () => {
  for (const { id, analysis, settings } of descriptors) {
    if (analysis === undefined) continue;
    const takes = (pixelM: number): boolean =>
      SENSORS.some(([satellite, roles]) => {
        const days = Array.from({ length: analysis.scenes.min }, (_, i) => i + 1);
        const plan = analysis.plan(days.map((day) => planned(satellite, roles, pixelM, day)));
        assert.ok(
          plan.accepted || settings.maxGsdM !== null || plan.errorCode !== "GSD-TOO-COARSE",
          `${id} has no limit and refuses ${pixelM} m`,
        );
        return plan.accepted;
      });
    if (settings.maxGsdM === null) takes(1000);
    else assert.deepEqual([takes(settings.maxGsdM * 0.99), takes(settings.maxGsdM * 1.01)], [true, false], id);
  }
});

function waterPlanOf(roles: readonly BandRole[]) {
  return mapTypes.find("water")!.analysis!.plan([planned("Sentinel-2", roles, 10, 1)]);
}

test("water asks for green and near infrared alone", () => {
  for (const roles of [
    ["G", "N"],
    ["G", "R", "N"],
    ["B", "G", "R", "N", "S1"],
  ] as const) {
    assert.ok(waterPlanOf(roles).accepted, roles.join());
  }
  const refused = waterPlanOf(["R", "N"]);
  assert.ok(!refused.accepted);
  assert.match(refused.errorMessage, /needs the bands G, N; scene .* lacks G$/);
});

test("trees refuse pictures without near infrared, with the reason", () => {
  const { analysis } = mapTypes.find("trees")!;
  const refused = analysis!.plan([planned("Pleiades Neo", ["B", "G", "R"], 0.6, 1)]);
  assert.ok(!refused.accepted);
  assert.match(refused.errorMessage, /^trees needs the bands B, G, R, N; scene .* lacks N$/);
  assert.ok(analysis!.plan([planned("Pleiades Neo", ["B", "G", "R", "N"], 0.6, 1)]).accepted);
});
