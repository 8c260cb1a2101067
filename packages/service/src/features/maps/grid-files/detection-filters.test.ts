import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlacedObject } from "@swath/maps/analysis/placed-object";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { parseDetectionFilters } from "./detection-filters.ts";

const ship: PlacedObject = {
  centre: [14, 50],
  ring: [],
  properties: { class: "ship", area: 1200.5, count: 1, confidence: 0.8, latLonCenter: [50, 14] },
};

function accepts(text: string): boolean | undefined {
  return parseDetectionFilters(text)?.(ship);
}

test("each condition compares as its name says", () => {
  for (const [text, expected] of [
    ["area gt 1200.5", false],
    ["area gte 1200.5", true],
    ["area lt 1201", true],
    ["area lte 1200", false],
    ["count eq 1", true],
    ["count ne 1", false],
    ["class eq ship", true],
    ["class ne ship", false],
    ["class in boat,ship", true],
    ["count in 2,3", false],
    ["confidence gte 8e-1", true],
  ] as const) {
    assert.equal(accepts(text), expected, text);
  }
});

test("all lines must hold, and objects without the property are left out", () => {
  assert.equal(accepts("area gt 1000\r\nconfidence gt 0.5\n"), true);
  assert.equal(accepts("area gt 1000\nconfidence gt 0.9"), false);
  assert.equal(accepts("speedMs lt 5"), false);
  assert.equal(accepts("speedMs ne 5"), false);
  assert.equal(accepts("toString eq 5"), false);
  assert.equal(accepts("class gt 5"), false);
});

test("no line is no filter, and nonsense is refused with the line", () => {
  assert.equal(parseDetectionFilters(undefined), null);
  assert.equal(parseDetectionFilters("\n \n"), null);
  for (const [text, says] of [
    ["area gt", /line 1: got 2 items/],
    ["area gt 1 2", /line 1: got 4 items/],
    ["area gt 1\narea about 5", /line 2: got the condition "about", expected one of gt, gte, lt, lte, eq, ne, in/],
    ["area gt large", /got the value "large", expected a number/],
    ["area toString 5", /got the condition "toString"/],
    [Array.from({ length: 21 }, () => "area gt 1").join("\n"), /has 21 lines, expected at most 20/],
  ] as const) {
    assert.throws(
      () => parseDetectionFilters(text),
      (error) => error instanceof ServiceError && error.code === "VALIDATION-ERROR" && says.test(error.message),
      text,
    );
  }
});
