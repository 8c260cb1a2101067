import assert from "node:assert/strict";
import { test } from "node:test";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { baselineMatrix } from "@swath/kernel/orbits/baseline-matrix";
import { propagatorOfElements } from "@swath/kernel/orbits/sgp4";
import { targetGeometry } from "@swath/kernel/orbits/target-geometry";
import { scenesBetween } from "./constellation/catalogue.ts";
import type { SceneModel } from "./scene-model.ts";
import { simulatedOrbits } from "./simulated-orbits.ts";

const BRISBANE: Bounds = [153.1, -27.45, 153.15, -27.4];
const DAY_MS = 86_400_000;

function scenesOf(provider: string, dataset: string): readonly SceneModel[] {
  const period = { fromMs: Date.UTC(2025, 4, 1), toMs: Date.UTC(2025, 6, 1), nowMs: Date.UTC(2026, 0, 1) };
  return [...scenesBetween({ provider, dataset, boxes: [BRISBANE], ...period })];
}

test("simulated passes of one track have baselines within the tube that their satellites are kept in", async () => {
  const models = scenesOf("esa", "COPERNICUS/S1_SLC");
  const [first] = models;
  assert.ok(first !== undefined);
  // Relative orbit, frame and column follow the moment, and the framing ends it: neighbours share no ground.
  const place = /_R\d+_F\d+_C\d+/.exec(first.sceneId)?.[0] ?? "none";
  const track = models.filter((one) => one.sceneId.includes(place)).slice(0, 4);
  assert.ok(track.length > 2);
  const matrix = baselineMatrix(
    await Promise.all(
      track.map(async ({ sceneId: id, footprint }) => ({
        track: "one",
        footprint,
        stateVectors: await simulatedOrbits.stateVectors(id),
      })),
    ),
  );
  for (const value of matrix.flat()) assert.ok(value !== null && Math.abs(value) < 400, String(value));
  assert.ok(matrix.flat().some((value) => value !== null && Math.abs(value) > 1));
  assert.equal(await simulatedOrbits.stateVectors("esa.COPERNICUS-_S1_SLC.nothing"), null);
});

test("SGP4 flies the elements of a satellite to within 200 m of the state vectors of its scenes", async () => {
  const models = scenesOf("esa", "COPERNICUS/S1_SLC");
  assert.ok(models.length > 5);
  for (const { sceneId, satellite, acquiredAtMs } of models) {
    const satellites = await simulatedOrbits.satellites("esa", "COPERNICUS/S1_SLC", acquiredAtMs);
    const elements = satellites.find(({ name }) => name === satellite)?.elements;
    const [vector] = (await simulatedOrbits.stateVectors(sceneId)) ?? [];
    assert.ok(elements !== undefined && vector !== undefined, sceneId);
    assert.ok(elements.epochMs <= acquiredAtMs && acquiredAtMs - elements.epochMs < DAY_MS / 14);
    const { positionM } = propagatorOfElements(elements)(vector.timeMs);
    const [x, y, z] = vector.positionM;
    const offM = Math.hypot(positionM[0] - x, positionM[1] - y, positionM[2] - z);
    assert.ok(offM < 200, `${sceneId}: ${offM} m`);
  }
});

test("members of a swarm have names and numbers of the catalogue, and see their scenes abeam", async () => {
  const [scene] = scenesOf("pl", "PSScene");
  assert.ok(scene !== undefined);
  const satellites = await simulatedOrbits.satellites("pl", "PSScene", scene.acquiredAtMs);
  assert.equal(new Set(satellites.map(({ name }) => name)).size, 86);
  assert.equal(new Set(satellites.map(({ catalogueNumber }) => catalogueNumber)).size, 86);
  const one = satellites.find(({ name }) => name === scene.satellite);
  assert.ok(one !== undefined, scene.satellite);
  const ring = scene.footprint.coordinates[0]?.[0] ?? [];
  const mean = (axis: 0 | 1): number => ring.slice(1).reduce((sum, place) => sum + place[axis], 0) / (ring.length - 1);
  const seen = targetGeometry(propagatorOfElements(one.elements)(scene.acquiredAtMs + 500), mean(0), mean(1));
  // Times are cut to the second, in which a satellite flies 7.5 km.
  assert.ok(Math.abs(seen.rangeRateMs) < 120, `${seen.rangeRateMs} m/s`);
});

async function namesAt(atMs: number): Promise<readonly string[]> {
  const satellites = await simulatedOrbits.satellites("esa", "COPERNICUS/S1_SLC", atMs);
  return satellites.map(({ name }) => name);
}

test("satellites work at the moment asked for, and unknown datasets have none", async () => {
  assert.deepEqual(await namesAt(Date.UTC(2014, 0, 1)), []);
  assert.deepEqual(await namesAt(Date.UTC(2018, 0, 1)), ["SIM S1-A", "SIM S1-B"]);
  assert.deepEqual(await namesAt(Date.UTC(2026, 0, 1)), ["SIM S1-A", "SIM S1-C"]);
  assert.deepEqual(await simulatedOrbits.satellites("local", "uploads", Date.UTC(2026, 0, 1)), []);
});
