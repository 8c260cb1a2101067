import assert from "node:assert/strict";
import { test } from "node:test";
import { orderOf, studyOf, type Product, type Wish } from "./study.ts";

const NOW_MS = Date.parse("2026-12-01T00:00:00Z");
const product: Product = {
  provider: "sim",
  dataset: "spot",
  name: "Spot",
  isOptical: true,
  finestM: 1,
  kinds: [
    { priorities: ["flexible"], offsetHours: { min: 24, max: 2160 } },
    { priorities: ["assured"], offsetHours: { min: 48, max: 336 } },
  ],
};
const wish: Wish = {
  area: { type: "Polygon", coordinates: [] },
  start: "2026-12-01",
  end: "2026-12-31",
  name: "harbour",
  priority: null,
  maxCloudCover: 0.2,
};

test("without a priority the days are those of every kind of order", () => {
  const study = studyOf(product, wish, NOW_MS);
  assert.equal(study?.startTime, "2026-12-03T00:01:00.000Z");
  assert.equal(study.endTime, "2026-12-14T23:59:00.000Z");
  assert.equal("priority" in study, false);
});

test("the days of a priority are those of its kind", () => {
  const study = studyOf(product, { ...wish, priority: "flexible" }, NOW_MS);
  assert.equal(study?.startTime, "2026-12-02T00:01:00.000Z");
  assert.equal(study.endTime, "2026-12-31T23:59:59.000Z");
  assert.equal(study.priority, "flexible");
});

test("a product is not asked for a priority that it lacks, nor for days that are over", () => {
  assert.equal(studyOf(product, { ...wish, priority: "express" }, NOW_MS), null);
  assert.equal(studyOf(product, { ...wish, start: "2026-11-01", end: "2026-11-02" }, NOW_MS), null);
});

test("radar is not asked for a limit of clouds, which the service would refuse", () => {
  assert.equal(studyOf({ ...product, isOptical: false }, wish, NOW_MS)?.orderOptions, undefined);
});

test("an order repeats its study without days, and accepts a licence by its name", () => {
  const request = studyOf(product, wish, NOW_MS);
  assert.ok(request !== null);
  assert.deepEqual(orderOf({ request, windowId: "w1" }, "open"), {
    provider: "sim",
    dataset: "spot",
    name: "harbour",
    geometry: wish.area,
    windowId: "w1",
    orderOptions: { maxCloudCover: 0.2, eula: "open" },
  });
});
