import assert from "node:assert/strict";
import { test } from "node:test";
import { dynamicPermissions, requirePermissions } from "./admission.ts";

const derive = (request: { items: { kind: string }[] }): string[] => request.items.map(({ kind }) => `x.${kind}`);

function malformed(value: unknown): readonly string[] {
  return dynamicPermissions([derive as (request: unknown) => string[]], value, false);
}

test("a well-formed request asks for everything it names", () => {
  assert.deepEqual(dynamicPermissions([derive], { items: [{ kind: "a" }, { kind: "undefined" }] }, true), [
    "x.a",
    "x.undefined",
  ]);
});

test("a malformed request asks for what can be read of it, and never fails", () => {
  assert.deepEqual(malformed({ items: [{ kind: "a" }, {}] }), ["x.a"]);
  assert.deepEqual(malformed({ items: 3 }), []);
  assert.deepEqual(malformed(null), []);
});

test("a well-formed request whose rights cannot be told is not let through", () => {
  assert.throws(() => dynamicPermissions([derive as (request: unknown) => string[]], {}, true), TypeError);
});

test("a prefix of whole segments grants, and the refusal names what is missing", () => {
  const caller = { kind: "user", userId: "u", groupId: "g", email: "e", permissions: new Set(["x.a"]) } as const;
  assert.doesNotThrow(() => requirePermissions(caller, ["x.a", "x.a.b"]));
  assert.throws(() => requirePermissions(caller, ["x.a", "x"]), { code: "NOT-AUTHORIZED", message: /permission x$/ });
});
