import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { evaluateRule } from "./evaluate-rule.ts";
import { ruleFault, type ChangeRule, type Measure, type ThresholdRule } from "./rule.ts";

const measure: Measure = { mapType: "ndvi", statistic: "mean" };
const threshold = (bounds: Pick<ThresholdRule, "above" | "below">): ThresholdRule => ({
  kind: "threshold",
  measure,
  ...bounds,
});
const change = (more: Partial<ChangeRule> = {}): ChangeRule => ({ kind: "change", measure, last: 3, by: 0.2, ...more });

const faultOf = (more: Partial<Measure>) => ruleFault(change({ measure: { ...measure, ...more } }))?.path;

test("a value above or below its bound alerts, a value on the bound does not", () => {
  const rule = threshold({ above: 0.8, below: 0.3 });
  assert.deepEqual(evaluateRule(rule, 0.81, []), { value: 0.81, reference: 0.8, side: "above" });
  assert.deepEqual(evaluateRule(rule, 0.29, []), { value: 0.29, reference: 0.3, side: "below" });
  for (const value of [0.3, 0.5, 0.8]) assert.equal(evaluateRule(rule, value, []), null);
});

test("a value far from the median of the last ones alerts", () => {
  assert.deepEqual(evaluateRule(change(), 0.4, [9, 0.6, 0.7, 0.8]), { value: 0.4, reference: 0.7, side: "below" });
  assert.equal(evaluateRule(change(), 0.55, [9, 0.6, 0.7, 0.8]), null);
  assert.equal(evaluateRule(change({ last: 2 }), 1, [0.5, 0.75])?.reference, 0.625);
});

test("a relative change is a share of the median, whichever sign it has", () => {
  const rule = change({ relative: true, by: 0.5 });
  assert.equal(evaluateRule(rule, 14, [10, 10, 10]), null);
  assert.equal(evaluateRule(rule, 15, [10, 10, 10])?.side, "above");
  assert.equal(evaluateRule(rule, -15, [-10, -10, -10])?.side, "below");
  assert.equal(evaluateRule(rule, 0, [0, 0, 0]), null, "no change");
});

test("fewer values than the rule takes are no alert, and values that are missing do not count", () => {
  assert.equal(evaluateRule(change(), 9, [0.6, 0.7]), null);
  assert.equal(evaluateRule(change(), 9, [0.6, null, NaN, 0.7]), null);
  assert.equal(evaluateRule(change(), 9, [0.6, null, 0.7, NaN, 0.8])?.reference, 0.7);
});

test("a value that was not measured never alerts", () => {
  for (const value of [null, NaN, Infinity]) {
    assert.equal(evaluateRule(threshold({ above: -1, below: 1 }), value, []), null);
    assert.equal(evaluateRule(change(), value, [1, 1, 1]), null);
    assert.equal(evaluateRule({ kind: "objects", mapType: "ships", atLeast: 0 }, value, []), null);
  }
});

test("as many objects as asked for alert", () => {
  const rule = { kind: "objects", mapType: "ships", atLeast: 3 } as const;
  assert.equal(evaluateRule(rule, 2, []), null);
  assert.deepEqual(evaluateRule(rule, 3, []), { value: 3, reference: 3, side: "above" });
});

test("the order of the last values does not matter, and earlier ones do not either", () => {
  const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  const samples = fc.tuple(fc.array(value, { minLength: 3, maxLength: 3 }), fc.array(value), value);
  fc.assert(
    fc.property(samples, ([last, before, now]) => {
      const expected = evaluateRule(change(), now, last);
      assert.deepEqual(evaluateRule(change(), now, [...before, ...last.toReversed()]), expected);
    }),
    { endOnFailure: true },
  );
});

test("rules that contradict themselves are faults", () => {
  assert.equal(ruleFault(threshold({ above: 1 })), null);
  assert.equal(ruleFault(threshold({}))?.path, "/above");
  assert.equal(ruleFault(threshold({ above: 0.2, below: 0.5 }))?.path, "/below");
  assert.equal(faultOf({ statistic: "percentile" }), "/measure/percentile");
  assert.equal(faultOf({ percentile: 5 }), "/measure/percentile");
  assert.equal(faultOf({ statistic: "percentile", percentile: 5 }), undefined);
  assert.equal(faultOf({ statistic: "areaKm2" }), "/measure/className");
  assert.equal(faultOf({ statistic: "areaKm2", className: "forest" }), undefined);
});
