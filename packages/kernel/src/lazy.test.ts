import assert from "node:assert/strict";
import { test } from "node:test";
import { lazy } from "./lazy.ts";

test("a lazy value is computed at its first use, once, even when it is undefined", () => {
  let computations = 0;
  const value = lazy(() => {
    computations++;
    return undefined;
  });
  assert.equal(computations, 0);
  assert.equal(value(), undefined);
  assert.equal(value(), undefined);
  assert.equal(computations, 1);
});

test("a computation that throws is tried again at the next use", () => {
  let computations = 0;
  const value = lazy(() => {
    computations++;
    if (computations === 1) throw new RangeError("the first time fails");
    return computations;
  });
  assert.throws(value, RangeError);
  assert.equal(value(), 2);
  assert.equal(value(), 2);
});
