import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { overlapsEnough, prepareArea } from "@swath/kernel/geometry/intersection-ratio";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { SceneModel } from "../scene-model.ts";
import { captureName } from "./capture-name.ts";
import { capturesBetween } from "./captures-between.ts";
import { capturesOfSlot, isPossible } from "./capture.ts";
import { modelOf, scenesBetween } from "./catalogue.ts";
import { PRODUCTS } from "./products.ts";
import { SITES } from "./sites.ts";
import { WORLD_PRODUCTS } from "./world-product.ts";

const DAY_MS = 86_400_000;
/** Scenes that a recorded search of nine months found over one place. */
const RECORDED_SCENES = 31;
const DEMONSTRATION: Bounds = [153.0313, -27.5107, 153.2346, -27.3279];
/** Far from the poles, whose winter is dark for 90 days. */
const PLACES = SITES.filter(({ latDeg }) => Math.abs(latDeg) < 50).filter((_, index) => index % 7 === 0);

function around(lonDeg: number, latDeg: number): Bounds {
  return [lonDeg - 0.001, latDeg - 0.001, lonDeg + 0.001, latDeg + 0.001];
}

function rectangle(bounds: Bounds): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [boundsPolygon(bounds).coordinates] };
}

function scenes(provider: string, dataset: string, box: Bounds, fromMs: number, toMs: number): readonly SceneModel[] {
  return [...scenesBetween({ provider, dataset, boxes: [box], fromMs, toMs, nowMs: toMs })];
}

test("over a city, tasked missions list no more scenes in nine months than the recorded sensors", (t) => {
  const [from, to] = [Date.UTC(2023, 0, 1), Date.UTC(2023, 9, 1)];
  for (const { dataset, plan } of PRODUCTS.filter((product) => product.plan.share !== null)) {
    const counts = PLACES.map(
      ({ lonDeg, latDeg }) => [...capturesBetween(plan, [around(lonDeg, latDeg)], from, to)].length,
    );
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    t.diagnostic(`${dataset}: ${mean.toFixed(1)} scenes, at most ${Math.max(...counts)}`);
    assert.ok(mean <= RECORDED_SCENES, `${dataset}: ${mean}`);
    assert.ok(Math.max(...counts) <= 2 * RECORDED_SCENES, `${dataset}: ${Math.max(...counts)}`);
  }
});

test("nine months of the half-metre archive over the demonstration area fit the recorded count", () => {
  const area = prepareArea(rectangle(DEMONSTRATION));
  for (const month of [0, 4, 8]) {
    const [from, to] = [Date.UTC(2018, month, 1), Date.UTC(2018, month + 9, 1)];
    const found = scenes("optical-legacy", "idaho-pansharpened", DEMONSTRATION, from, to).filter((model) =>
      overlapsEnough(area, prepareArea(model.footprint), { of: "extent", ratio: 0.5 }),
    );
    assert.ok(found.length > 2 && found.length <= RECORDED_SCENES, `${found.length} scenes from month ${month}`);
  }
});

test("every dataset has scenes of the last 90 days over most cities, whatever the year", () => {
  for (const now of [Date.UTC(2026, 10, 22), Date.UTC(2033, 2, 5)]) {
    for (const { provider, dataset } of [...PRODUCTS, ...WORLD_PRODUCTS]) {
      const seen = PLACES.filter(({ lonDeg, latDeg }) => {
        const query = { provider, dataset, boxes: [around(lonDeg, latDeg)], nowMs: now };
        const [newest] = scenesBetween({ ...query, fromMs: now - 90 * DAY_MS, toMs: null });
        return newest !== undefined;
      });
      assert.ok(seen.length > PLACES.length / 2, `${dataset}: ${seen.length} of ${PLACES.length} cities`);
    }
  }
});

test("a scene that searches do not list still answers to its name", () => {
  const product = PRODUCTS.find(({ dataset }) => dataset === "pleiades");
  assert.ok(product !== undefined);
  const { plan } = product;
  const [listed] = capturesBetween(plan, [around(2.35, 48.86)], Date.UTC(2023, 0, 1), Date.UTC(2023, 9, 1));
  assert.ok(listed !== undefined);
  const { satellite, slot, cycle } = listed;
  const all = [-4, -3, -2, -1, 0, 1, 2, 3, 4].flatMap((step) =>
    capturesOfSlot(plan, satellite, slot, cycle + step, () => true),
  );
  const unlisted = all.filter((capture) => !capture.isListed && isPossible(plan, capture));
  assert.ok(unlisted.length > 0);
  for (const capture of unlisted) {
    const name = `ab.pleiades.${captureName(plan, capture)}`;
    assert.equal(modelOf(name)?.sceneId, name);
  }
});
