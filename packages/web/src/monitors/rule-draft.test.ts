import assert from "node:assert/strict";
import { test } from "node:test";
import { ruleFault, type Measure, type MonitorRule } from "@swath/kernel/monitors/rule";
import * as fc from "fast-check";
import { EMPTY_RULE, ruleDraftOf, ruleOf } from "./rule-draft.ts";
import { ruleText } from "./rule-text.ts";

/** Plain objects, as the service sends them. */
function record<Model extends object>(model: { [Name in keyof Model]: fc.Arbitrary<Model[Name]> }) {
  return fc.record<Model>(model, { noNullPrototype: true });
}
const number = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((value) => (value === 0 ? 0 : value));
const measure: fc.Arbitrary<Measure> = fc.oneof(
  record({ mapType: fc.constant("a"), statistic: fc.constantFrom("mean", "max", "objects", "validShare") }),
  record({ mapType: fc.constant("a"), layer: fc.constant("height"), statistic: fc.constant("std") }),
  record({
    mapType: fc.constant("a"),
    statistic: fc.constant("percentile"),
    percentile: fc.integer({ min: 0, max: 100 }),
  }),
  record({ mapType: fc.constant("a"), statistic: fc.constant("areaKm2"), className: fc.constant("water") }),
);
const rules: fc.Arbitrary<MonitorRule> = fc.oneof(
  record({ kind: fc.constant("threshold"), measure, above: number }),
  record({ kind: fc.constant("threshold"), measure, below: number }),
  record({ kind: fc.constant("change"), measure, last: fc.integer({ min: 1, max: 50 }), by: fc.nat() }),
  record({
    kind: fc.constant("change"),
    measure,
    last: fc.constant(3),
    by: fc.constant(0.1),
    relative: fc.constant(true),
  }),
  record({ kind: fc.constant("objects"), mapType: fc.constant("a"), atLeast: fc.integer({ min: 1, max: 1e9 }) }),
);

test("the fields of a rule give the same rule, which the service accepts", () => {
  fc.assert(
    fc.property(rules, (rule) => {
      assert.deepEqual(ruleOf(ruleDraftOf(rule)), rule);
      assert.equal(ruleFault(rule), null);
    }),
    { endOnFailure: true },
  );
});

test("fields without a number or a map are no rule yet", () => {
  const draft = { ...EMPTY_RULE, mapType: "a" };
  assert.equal(ruleOf(EMPTY_RULE), null);
  assert.equal(ruleOf({ ...draft, below: "" }), null);
  assert.equal(ruleOf({ ...draft, statistic: "percentile", percentile: "x" }), null);
  assert.equal(ruleOf({ ...draft, kind: "change", by: "" }), null);
  assert.equal(ruleOf({ ...draft, kind: "objects", atLeast: "" }), null);
});

test("a rule is told in words", () => {
  const mean: Measure = { mapType: "a", statistic: "mean" };
  assert.equal(
    ruleText({ kind: "threshold", measure: mean, above: 1, below: 0.25 }),
    "a mean above 1 or a mean below 0.250",
  );
  assert.equal(
    ruleText({ kind: "change", measure: mean, last: 3, by: 0.2, relative: true }),
    "a mean 20\u00a0% away from the median of 3",
  );
  assert.equal(ruleText({ kind: "objects", mapType: "a", atLeast: 2 }), "2 or more objects of a");
});
