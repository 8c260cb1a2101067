import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "@swath/kernel/bands/band-role";
import type { PlannedScene } from "../../planning/planned-scene.ts";
import { planShipSeries } from "./plan.ts";

function scene(datetime: string, roles: readonly BandRole[], quantity = "backscatter-linear"): PlannedScene {
  return {
    scene: {
      sceneId: `scene-${datetime}`,
      satellite: "SENTINEL-1",
      datetime,
      footprint: { type: "MultiPolygon", coordinates: [] },
      bands: roles.map((role) => ({ names: [role], approximateResolutionX: 10, approximateResolutionY: 10 })),
    },
    raster: { bands: roles.map(() => ({ quantity })) },
    roles,
  } as unknown as PlannedScene;
}

test("a series is searched in the polarisations that all scenes have, with the days between them", () => {
  const plan = planShipSeries([
    scene("2021-03-01 06:00:00", ["VV", "VH"]),
    scene("2021-03-13 06:00:00", ["VV"]),
    scene("2021-03-25 18:00:00", ["VV", "VH"]),
  ]);
  assert.ok(plan.accepted, JSON.stringify(plan));
  assert.deepEqual(
    plan.planes.map((planes) => planes.map(({ position }) => position)),
    [[0], [0], [0]],
  );
  assert.deepEqual(plan.parameters.days, [0, 12, 24.5]);
  assert.equal(plan.parameters.searches.length, 3);
});

test("optical scenes make no series", () => {
  const plan = planShipSeries([
    scene("2021-03-01 06:00:00", ["VV"]),
    scene("2021-03-13 06:00:00", ["B", "G", "R"], "reflectance"),
  ]);
  assert.ok(!plan.accepted);
  assert.equal(plan.errorCode, "UNSUPPORTED-IMAGERY");
});
