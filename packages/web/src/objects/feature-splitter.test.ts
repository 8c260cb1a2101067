import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createFeatureSplitter } from "./feature-splitter.ts";

const features = fc.array(
  fc.record({ type: fc.constant("Feature"), properties: fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()) }),
  { maxLength: 6 },
);

test("features come whole and in order, wherever the text is cut", () => {
  fc.assert(
    fc.property(features, fc.integer({ min: 1, max: 40 }), fc.boolean(), (list, step, isSpaced) => {
      const collection = { type: "FeatureCollection", name: '"features":[{', other: [{}], features: list, bbox: [{}] };
      const text = JSON.stringify(collection, null, isSpaced ? 2 : 0);
      const splitter = createFeatureSplitter();
      const found: unknown[] = [];
      for (let at = 0; at < text.length; at += step) {
        found.push(...splitter.push(text.slice(at, at + step)).map((one) => JSON.parse(one)));
      }
      assert.deepEqual(found, JSON.parse(JSON.stringify(list)));
    }),
    { endOnFailure: true },
  );
});

test("a text without features has none", () => {
  for (const text of ["", "{}", "[]", '{"features":{"a":{}}}'.replace("features", "other"), '{"features":[]}']) {
    assert.deepEqual(createFeatureSplitter().push(text), [], text);
  }
});
