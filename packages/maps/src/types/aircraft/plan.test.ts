import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "@swath/kernel/bands/band-role";
import type { PlannedScene } from "../../planning/planned-scene.ts";
import { planAircraft } from "./plan.ts";

function scene(satellite: string, pixelM: number, roles: readonly BandRole[]): PlannedScene {
  return {
    scene: {
      sceneId: "some-scene",
      satellite,
      bands: roles.map(() => ({ approximateResolutionX: pixelM, approximateResolutionY: pixelM })),
    },
    raster: { bands: roles.map(() => ({ quantity: "reflectance" })) },
    roles,
  } as unknown as PlannedScene;
}

test("fine images are searched on the ground, those of Sentinel-2 in flight, others are refused", () => {
  const fine = planAircraft([scene("Pleiades", 0.5, ["R", "G", "B", "N"])]);
  assert.ok(fine.accepted);
  assert.equal(fine.parameters["mode"], undefined);
  const flight = planAircraft([scene("SENTINEL-2", 10, ["B", "G", "R", "N"])]);
  assert.ok(flight.accepted);
  assert.deepEqual(flight.parameters, { mode: "flight", pixelM: 10, parallaxS: [0.527, 1.005] });
  assert.deepEqual(
    flight.planes[0]?.map(({ position }) => position),
    [0, 1, 2],
  );
  for (const planned of [scene("RapidEye", 5, ["B", "G", "R"]), scene("SENTINEL-2", 20, ["B", "G", "R"])]) {
    const plan = planAircraft([planned]);
    assert.ok(!plan.accepted);
    assert.equal(plan.errorCode, "GSD-TOO-COARSE");
  }
});
