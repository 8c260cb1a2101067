import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../exit-code.ts";
import { applyOptions } from "./order-options.ts";

const place = { dataset: "spotlight", place: "14.42,50.09" };

test("options become the body of a study, and absent ones no member", async () => {
  assert.deepEqual(await applyOptions(null, place), {
    dataset: "spotlight",
    geometry: { type: "Point", coordinates: [14.42, 50.09] },
    name: "spotlight capture",
  });
  const all = {
    dataset: "radar-multi/stripmap",
    area: "14,50,15,51",
    name: "harbour",
    from: "2026-06-01",
    to: "2026-06-08T12:00:00Z",
    priority: "urgent",
    maxClouds: 0.1,
    contract: "radar-2026",
    product: ["GRD", "SLC"],
    eula: "standard",
    sla: "8h",
    project: "floods",
    analysis: "a1",
  } as const;
  const { geometry, ...body } = await applyOptions(null, all);
  assert.equal(geometry.type, "Polygon");
  assert.deepEqual(body, {
    provider: "radar-multi",
    dataset: "stripmap",
    name: "harbour",
    projectName: "floods",
    analysisId: "a1",
    priority: "urgent",
    orderOptions: {
      contractId: "radar-2026",
      ingestProducts: ["GRD", "SLC"],
      eula: "standard",
      sla: "8h",
      maxCloudCover: 0.1,
    },
    startTime: "2026-06-01 00:00:00",
    endTime: "2026-06-08 12:00:00",
  });
});

test("options change a study and leave its other members", async () => {
  const before = await applyOptions(null, { ...place, name: "harbour", eula: "standard" });
  assert.deepEqual(await applyOptions(before, { sla: "8h", name: "quay" }), {
    ...before,
    name: "quay",
    orderOptions: { eula: "standard", sla: "8h" },
  });
});

test("a capture needs a dataset and one place or one polygon", async () => {
  const two = JSON.stringify({ type: "MultiPolygon", coordinates: [[], []] });
  for (const [options, message] of [
    [{ place: "14,50" }, /--dataset is missing/],
    [{ dataset: "spotlight" }, /needs --place lon,lat or --area/],
    [{ ...place, area: "14,50,15,51" }, /exclude each other/],
    [{ dataset: "spotlight", area: two }, /has 2 polygons, expected one/],
    [{ dataset: "spotlight", area: '{"type":"Point","coordinates":[1,2]}' }, /has 0 polygons/],
  ] as const) {
    await assert.rejects(
      applyOptions(null, options),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  }
});
