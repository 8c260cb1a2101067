import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { readMapObject, type MapObject } from "./map-object.ts";
import {
  countClasses,
  filterObjects,
  isNameable,
  leastConfidence,
  parseFilterText,
  withClasses,
  withConfidence,
} from "./object-filter-text.ts";

function object(className: string, confidence: number): MapObject {
  const read = readMapObject({
    geometry: { type: "Point", coordinates: [1, 2] },
    properties: { featureId: "a", class: className, confidence, latLonCenter: [2, 1] },
  });
  assert.ok(read !== null);
  return read;
}

function filtersOf(text: string) {
  const parsed = parseFilterText(text);
  assert.ok(parsed.kind === "filters", text);
  return parsed.filters;
}

const className = fc.constantFrom("ship", "boat", "tanker", "fishing boat", "a,b");

test("chosen classes are a text that accepts them and no other", () => {
  fc.assert(
    fc.property(fc.uniqueArray(className, { minLength: 1 }), fc.infiniteStream(fc.boolean()), (all, isWanted) => {
      const wanted = new Set(all.filter((one) => !isNameable(one) || isWanted.next().value));
      const objects = all.map((one) => object(one, 0.5));
      const text = withClasses(filtersOf("confidence gte 0.2"), all, wanted);
      const shown = filterObjects(objects, filtersOf(text)).map((one) => one.className);
      assert.deepEqual(shown, wanted.size === 0 ? all : all.filter((one) => wanted.has(one)));
      assert.ok(text.includes("confidence gte 0.2"));
      const counts = countClasses(objects, filtersOf(text));
      assert.deepEqual(new Set(counts.flatMap((one) => (one.isWanted ? [one.className] : []))), new Set(shown));
    }),
    { endOnFailure: true },
  );
});

test("counts of classes are of the objects that meet the other conditions", () => {
  const objects = [object("ship", 0.9), object("ship", 0.1), object("boat", 0.8)];
  assert.deepEqual(countClasses(objects, filtersOf("class eq boat\nconfidence gte 0.5")), [
    { className: "boat", count: 1, isWanted: true },
    { className: "ship", count: 1, isWanted: false },
  ]);
});

test("the least confidence replaces the former one, and none is no line", () => {
  const filters = filtersOf("confidence gte 0.2\narea gt 5");
  assert.equal(leastConfidence(filters), 0.2);
  assert.equal(withConfidence(filters, 0.65), "area gt 5\nconfidence gte 0.65");
  assert.equal(withConfidence(filters, 0), "area gt 5");
});

test("an unreadable text says which line is wrong", () => {
  assert.deepEqual(parseFilterText("area gt 5\nclass about ship"), {
    kind: "unreadable",
    problem: 'line 2: got the condition "about", expected one of gt, gte, lt, lte, eq, ne, in',
  });
});
