import assert from "node:assert/strict";
import { test } from "node:test";
import { baselineMatrix } from "@swath/kernel/orbits/baseline-matrix";
import { modelOf, scenesBetween } from "@swath/simulator/constellation/catalogue";
import { simulatedOrbits } from "./simulated-orbits.ts";

test("simulated passes of one track have baselines within the tube that their satellites are kept in", async () => {
  const orbits = simulatedOrbits(modelOf);
  const models = [
    ...scenesBetween({
      provider: "esa",
      dataset: "COPERNICUS/S1_SLC",
      boxes: [[153.1, -27.45, 153.15, -27.4]],
      fromMs: Date.UTC(2025, 4, 1),
      toMs: Date.UTC(2025, 6, 1),
      nowMs: Date.UTC(2026, 0, 1),
    }),
  ];
  const [first] = models;
  assert.ok(first !== undefined);
  // Of one relative orbit, frame and column, which end the identifier: neighbours share no ground.
  const place = /_R\d+_.*$/.exec(first.sceneId)?.[0] ?? "";
  const track = models.filter((one) => one.sceneId.endsWith(place)).slice(0, 4);
  assert.ok(track.length > 2);
  const matrix = baselineMatrix(
    await Promise.all(
      track.map(async ({ sceneId: id, footprint }) => ({
        track: "one",
        footprint,
        stateVectors: await orbits.stateVectors(id),
      })),
    ),
  );
  for (const value of matrix.flat()) assert.ok(value !== null && Math.abs(value) < 400, String(value));
  assert.ok(matrix.flat().some((value) => value !== null && Math.abs(value) > 1));
  assert.equal(await orbits.stateVectors("esa.COPERNICUS-_S1_SLC.nothing"), null);
});
