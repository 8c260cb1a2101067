import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import { createMapTypes } from "@swath/maps/registry";
import { parseClassification } from "./classification.ts";

const mapTypes = createMapTypes([]);

function type(id: string): MapTypeDescriptor {
  const found = mapTypes.find(id);
  assert.ok(found !== undefined, id);
  return found;
}

test("ranges of values have two ends, of which either may be open", () => {
  assert.deepEqual(parseClassification("bare:-1:0.2:#b0903c; green : 0.2 : : #1A9641", type("ndvi")), {
    ranges: [
      { name: "bare", low: -1, high: 0.2, color: [176, 144, 60] },
      { name: "green", low: 0.2, high: Infinity, color: [26, 150, 65] },
    ],
    unions: [],
  });
});

test("classes are united by name or by the hierarchy, in the colour of the first unless another is given", () => {
  assert.deepEqual(parseClassification("artificial\nopen:nonurban,water:#000001\r\n", type("wrunc")), {
    ranges: [],
    unions: [
      { name: "artificial", members: ["roads", "urban"], color: [128, 128, 128] },
      { name: "open", members: ["nonurban", "water"], color: [0, 0, 1] },
    ],
  });
  assert.deepEqual(parseClassification("all", type("wrunc"))?.unions[0]?.members.length, 5);
});

test("what has no classes ignores them, and an empty text is none", () => {
  assert.equal(parseClassification("a:0:1:#ffffff", type("imagery")), null);
  for (const text of [undefined, "", " ;\n"]) assert.equal(parseClassification(text, type("ndvi")), null);
});

test("nonsense is refused with the line and what was expected", () => {
  for (const [id, text, says] of [
    ["ndvi", "a:0:1:#ffffff\nb:1:0:#ffffff", /line 2: got the limits 1 and 0/],
    ["ndvi", "a:0:1:red", /got the colour "red"/],
    ["ndvi", "a:x:1:#ffffff", /got the limit "x"/],
    ["ndvi", "a:0:1", /expected name:low:high:#rrggbb/],
    ["ndvi", "a:0:1:#ffffff:2", /got 5 parts/],
    ["ndvi", ":0:1:#ffffff", /got the name ""/],
    ["ndvi", "a:0:1:#ffffff;a:1:2:#ffffff", /names the class "a" twice/],
    ["wrunc", "a:0:1:#ffffff", /has classes and no values/],
    ["wrunc", "a:moon", /got the class "moon", expected one of water/],
    ["wrunc", "a:water;b:water", /uses "water" twice/],
    ["ndvi", Array.from({ length: 33 }, (_, i) => `c${i}:${i}:${i + 1}:#ffffff`).join(";"), /has 33 classes/],
  ] as const) {
    assert.throws(
      () => parseClassification(text, type(id)),
      (error) => error instanceof ServiceError && error.code === "VALIDATION-ERROR" && says.test(error.message),
      `${id} ${text}`,
    );
  }
});

test("any text is either understood or refused", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("ndvi", "wrunc", "methane"), (text, id) => {
      try {
        parseClassification(text, type(id));
      } catch (error) {
        assert.ok(error instanceof ServiceError);
      }
    }),
  );
});
