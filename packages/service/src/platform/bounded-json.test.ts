import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { boundedJson } from "./bounded-json.ts";

function refusal(work: () => unknown): readonly [string, string | undefined] {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return [error.code, error.details?.[0]?.path];
  }
  return ["none", undefined];
}

test("free-form members keep their text, members with names of the language's own included", () => {
  const text =
    '{"__proto__":{"polluted":true},"constructor":1,"toJSON":"x","b":[1e-320,1.7976931348623157e+308,0.1],"a":null,"":{}}';
  assert.equal(boundedJson(JSON.parse(text) as object, "/properties"), text);
  assert.equal("polluted" in {}, false);
});

test("free-form members are refused when they are large or deep", () => {
  const nested = (levels: number): Record<string, unknown> => (levels === 1 ? {} : { a: nested(levels - 1) });
  assert.equal(boundedJson(nested(32), "/properties").length, 31 * '{"a":}'.length + "{}".length);
  assert.deepEqual(
    refusal(() => boundedJson(nested(33), "/properties")),
    ["VALIDATION-ERROR", "/properties"],
  );
  assert.equal(boundedJson({ a: "x".repeat(1024 * 1024 - 8) }, "/properties").length, 1024 * 1024);
  assert.deepEqual(
    refusal(() => boundedJson({ a: "ü".repeat(512 * 1024) }, "/properties")),
    ["VALIDATION-ERROR", "/properties"],
  );
});
