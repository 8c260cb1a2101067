import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrderParameters } from "@swath/contract/features/tasking/order-parameters";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Position } from "@swath/kernel/geometry/geojson";
import { createCatalog } from "../../../providers/catalog.ts";
import { providers } from "../../../providers/registry.ts";
import { planOrder, type OrderPlan } from "./order-plan.ts";

const catalog = createCatalog(providers);
const spotlight: OrderParameters = {
  dataset: "spotlight",
  name: "harbour",
  geometry: { type: "Point", coordinates: [14.42, 50.09] },
};

function plan(more: Partial<OrderParameters>, purpose: "study" | "order" = "study"): OrderPlan {
  return planOrder(catalog, { ...spotlight, ...more }, { purpose, path: "" });
}

function refusal(more: Partial<OrderParameters>, purpose: "study" | "order" = "study"): string {
  try {
    plan(more, purpose);
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return `${error.code} ${error.message}`;
  }
  return assert.fail("the order was accepted");
}

function circle(corners: number, radiusDeg: number): OrderParameters["geometry"] {
  const ring = Array.from({ length: corners + 1 }, (_, i): Position => {
    const angle = ((i % corners) / corners) * 2 * Math.PI;
    return [10 + radiusDeg * Math.cos(angle), 10 + radiusDeg * Math.sin(angle)];
  });
  return { type: "Polygon", coordinates: [ring] };
}

test("a dataset is found by its name alone, by its provider and by the provider among the options", () => {
  assert.equal(plan({}).tasked.provider.id, "radar-multi");
  assert.equal(plan({ provider: "radar-multi" }).tasked.dataset.dataset, "spotlight");
  assert.equal(plan({ orderOptions: { provider: "radar-multi" } }).tasked.dataset.dataset, "spotlight");
  assert.equal(plan({ dataset: "SkySatCollect" }).tasked.provider.id, "pl");
});

test("a dataset or provider that takes no orders is refused with those that do", () => {
  assert.match(
    refusal({ dataset: "spotlihgt" }),
    /^VALIDATION-ERROR \/dataset is spotlihgt, .* expected one of .*spotlight/,
  );
  assert.match(refusal({ provider: "ee" }), /of the provider ee; no dataset of the provider ee takes orders/);
  assert.match(refusal({ provider: "radar-mutli" }), /\/provider is radar-mutli, which is no provider.*radar-multi/);
  assert.match(
    refusal({ provider: "radar-multi", orderOptions: { provider: "pl" } }),
    /expected the provider radar-multi/,
  );
});

test("a dataset of two providers needs the provider", () => {
  const [twin] = providers.filter(({ id }) => id === "radar-multi");
  assert.ok(twin !== undefined);
  const two = createCatalog([twin, { ...twin, id: "copy", aliases: [] }]);
  assert.throws(() => planOrder(two, spotlight, { purpose: "study", path: "/params/3" }), {
    message: "/params/3/provider is missing: the dataset spotlight is of radar-multi and copy",
  });
});

function priced({ info, priority, priorityFactor, taskingType }: OrderPlan): readonly unknown[] {
  return [priority, taskingType, info.costMultiplier * priorityFactor];
}

test("each model has its priorities, and another one is refused with them", () => {
  assert.deepEqual(priced(plan({})), ["flexible", "flexible", 1]);
  assert.deepEqual(priced(plan({ priority: "standard" })), ["standard", "flexible", 1.3]);
  assert.deepEqual(priced(plan({ priority: "priority" })), ["priority", "assured", 1.8]);
  assert.deepEqual(priced(plan({ priority: "urgent" })), ["urgent", "assured", 2.5]);
  assert.match(refusal({ priority: "express" }), /is express, expected one of flexible, standard, priority, urgent/);
  assert.deepEqual(priced(plan({ dataset: "newsat" })), ["assured", "assured", 2]);
  assert.deepEqual(priced(plan({ dataset: "newsat", priority: "express" })), ["express", "assured", 3]);
  assert.match(refusal({ dataset: "newsat", priority: "urgent" }), /is urgent, expected one of assured, express/);
  assert.deepEqual(priced(plan({ dataset: "pleiades", priority: "assured" })), ["assured", "assured", 2]);
  assert.match(refusal({ dataset: "pleiades", priority: "standard" }), /expected one of flexible, assured/);
});

test("a point is ordered as the square of its mode and a small polygon as the least area", () => {
  assert.equal(plan({}).area.areaKm2, 25);
  assert.equal(plan({ dataset: "stripmap" }).area.areaKm2, 100);
  assert.equal(plan({ dataset: "sliding_spotlight" }).area.areaKm2, 50);
  const ring: Position[] = [
    [14, 50],
    [14.01, 50],
    [14.01, 50.01],
    [14, 50],
  ];
  const small = plan({ geometry: { type: "Polygon", coordinates: [ring] } });
  assert.equal(small.area.areaKm2, 25);
  assert.deepEqual(small.originalGeometry, { type: "Polygon", coordinates: [ring] });
});

test("a polygon of 250 corners and one over a continent are refused with the limit", () => {
  assert.match(refusal({ geometry: circle(250, 20) }), /^VALIDATION-ERROR .*has 250 corners, expected fewer than 250/);
  assert.match(
    refusal({ geometry: circle(249, 20) }),
    /^EXTENT-TOO-LARGE \/geometry has a bounding rectangle of 4\d{3} km, expected less than 400 km for spotlight/,
  );
});

test("a cloud limit is used for optical datasets and refused for radar with the reason", () => {
  assert.equal(plan({ dataset: "newsat", orderOptions: { maxCloudCover: 0.05 } }).maxCloudCover, 0.05);
  assert.equal(plan({ dataset: "newsat" }).maxCloudCover, 0.2);
  assert.equal(plan({}).maxCloudCover, 1);
  assert.match(
    refusal({ orderOptions: { maxCloudCover: 0.05 } }),
    /clouds do not hide what the radar of spotlight sees/,
  );
});

test("isFeasibility is refused where it contradicts the operation", () => {
  assert.equal(plan({ isFeasibility: true }).priority, "flexible");
  assert.equal(plan({ isFeasibility: false }, "order").priority, "flexible");
  assert.match(refusal({ isFeasibility: false }), /is false, expected true: this is a study/);
  assert.match(refusal({ isFeasibility: true }, "order"), /is true, expected false: a study is asked of/);
});
