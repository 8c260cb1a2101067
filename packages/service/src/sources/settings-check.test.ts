import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { settingsCheck } from "./settings-check.ts";

const check = settingsCheck(
  Type.Object(
    {
      kind: Type.Enum(["red", "green"]),
      name: Type.Optional(Type.String({ pattern: "^[a-z]+$", maxLength: 8 })),
      sizes: Type.Optional(Type.Array(Type.Number({ minimum: 1 }), { minItems: 2 })),
      secret: Type.Optional(
        Type.Union([
          Type.String(),
          Type.Object({ kind: Type.Literal("env"), variable: Type.String() }, { additionalProperties: false }),
          Type.Object({ kind: Type.Literal("file"), path: Type.String() }, { additionalProperties: false }),
        ]),
      ),
    },
    { additionalProperties: false },
  ),
);

const faultsOf = (value: unknown): readonly string[] =>
  check.faultsOf(value).map(({ path, message }) => `${path}: ${message}`);

test("valid settings have no fault", () => {
  const settings = { kind: "red", secret: { kind: "env", variable: "A" } };
  assert.ok(check.isValid(settings));
  assert.deepEqual(check.faultsOf(settings), []);
});

test("each fault says what was got and what is expected, with the name that was meant", () => {
  assert.deepEqual(faultsOf({ kind: "blue", nmae: "x", name: "A", sizes: [0] }), [
    ': got the member "nmae", did you mean "name"? expected kind, name, sizes, secret',
    '/kind: got "blue", expected one of red, green',
    '/name: got "A", expected a text of pattern "^[a-z]+$"',
    "/sizes: got [0], expected at least 2 items",
    "/sizes/0: got 0, expected >= 1",
  ]);
  assert.deepEqual(faultsOf({}), [': got no "kind", which is required']);
  assert.deepEqual(faultsOf({ kind: "red", name: "abcdefghi" }), [
    '/name: got "abcdefghi", expected at most 8 characters',
  ]);
});

test("of a union only the branch that was meant is named, else what the branches are", () => {
  assert.deepEqual(faultsOf({ kind: "red", secret: { kind: "file", pth: "x" } }), [
    '/secret: got no "path", which is required',
    '/secret: got the member "pth", did you mean "path"? expected kind, path',
  ]);
  assert.deepEqual(faultsOf({ kind: "red", secret: { kind: "vault" } }), [
    '/secret: got {"kind":"vault"}, expected string or "kind": "env" or "kind": "file"',
  ]);
  assert.deepEqual(faultsOf({ kind: "red", secret: 5 }), [
    '/secret: got 5, expected string or "kind": "env" or "kind": "file"',
  ]);
});

test("long values are shortened", () => {
  const [fault = ""] = faultsOf({ kind: "x".repeat(1000) });
  assert.ok(fault.length < 140, fault);
});
