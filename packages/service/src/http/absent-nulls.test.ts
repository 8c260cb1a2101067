import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { dropAbsentNulls } from "./absent-nulls.ts";

const schema = Type.Object({
  must: Type.String(),
  may: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  list: Type.Optional(Type.Array(Type.Object({ may: Type.Optional(Type.Integer()) }))),
  free: Type.Optional(Type.Unknown()),
});

function dropped(value: object): object {
  dropAbsentNulls(schema, value);
  return value;
}

test("null for an optional member means that it is absent, also in lists", () => {
  assert.deepEqual(dropped({ must: "a", may: null, list: [{ may: null }, { may: 1 }] }), {
    must: "a",
    list: [{}, { may: 1 }],
  });
});

test("null stays where it is required, allowed or unknown", () => {
  const value = { must: null, limit: null, free: null, foreign: null };
  assert.deepEqual(dropped({ ...value }), value);
});

test("what is no object is left alone", () => {
  for (const value of [null, 1, "a", [null], [{ may: null }]])
    assert.doesNotThrow(() => dropAbsentNulls(schema, value));
});
