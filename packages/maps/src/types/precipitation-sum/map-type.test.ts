import assert from "node:assert/strict";
import { test } from "node:test";
import { rainRate } from "../precipitation/rain-rate.ts";
import type { PlannedScene } from "../../planning/planned-scene.ts";
import { precipitationSum } from "./map-type.ts";

function hour(at: number, names: readonly string[] = ["hourlyPrecipRate"]): PlannedScene {
  const scene = {
    sceneId: `s${at}`,
    datetime: `2024-05-01 0${at}:00:00`,
    bands: names.map((name) => ({ names: [name] })),
  };
  return { scene, raster: { bands: [] }, roles: names.map(() => null) } as unknown as PlannedScene;
}

test("a sum takes the rates of every scene and records the hours it is made of", () => {
  const { analysis } = precipitationSum;
  assert.deepEqual(analysis?.scenes, { min: 2, max: 50 });
  const plan = analysis.plan([hour(1), hour(2, ["other", "hourlyPrecipRateGC"]), hour(3)]);
  assert.ok(plan.accepted);
  assert.deepEqual(plan.parameters, {
    hoursPerScene: 1,
    hours: 3,
    datetimes: ["2024-05-01 01:00:00", "2024-05-01 02:00:00", "2024-05-01 03:00:00"],
  });
  assert.deepEqual(
    plan.planes.map((planes) => planes.map(({ position }) => position)),
    [[0], [1], [0]],
  );
  const refused = analysis.plan([hour(1), hour(2, ["other"])]);
  assert.ok(!refused.accepted && /precipitation-sum needs the band .*; scene s2 has /.test(refused.errorMessage));
});

test("rain adds up, and what an hour lacks has no sum", () => {
  const rect = { column: 0, row: 0, columns: 3, rows: 1 };
  const scenes = [
    [[1.5, 0, 2], [1, 1, 1]], // prettier-ignore
    [[0.5, 0.25, -99]],
    [[-1, 4, 3], [7, 9, 9]], // prettier-ignore
  ].map((planes) => planes.map((plane) => Float32Array.from(plane)));
  const ground = { metresPerPixelX: 1, metresPerPixelY: 1, northDeg: 0, lonDeg: 0, latDeg: 0 };
  const { layers } = rainRate.compute({ rect, core: rect, scenes, land: null, ground }, null, { hoursPerScene: 1 });
  assert.deepEqual([...layers[0]], [1.5 + 0.5 + 7, 4.25, Number.NaN]);
});

test("metadata.json tells the volume of the rain", () => {
  const { rendering } = precipitationSum;
  assert.ok(rendering.kind === "result");
  const [layer] = rendering.layers;
  assert.ok(layer?.kind === "values");
  // A millimetre over a square metre is a litre.
  assert.deepEqual(layer.total, { name: "volume", unit: "m3", perSquareMetre: 1e-3 });
});
