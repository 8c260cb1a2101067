import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { readTexts } from "./text-values.ts";

const schema = Type.Object({
  z: Type.Integer(),
  threshold: Type.Optional(Type.Number()),
  stretch: Type.Optional(Type.Boolean()),
  whole: Type.Optional(Type.Union([Type.Integer(), Type.Boolean()])),
  name: Type.Optional(Type.String()),
});

test("texts become the types of the schema", () => {
  const texts = { z: "12", threshold: "-.5e-1", stretch: "true", whole: "1", name: "7", other: "x" };
  assert.deepEqual(readTexts(schema, texts), { z: 12, threshold: -0.05, stretch: true, whole: 1, name: "7" });
  assert.deepEqual(readTexts(schema, { stretch: "0", whole: "false" }), { stretch: false, whole: false });
});

test("text that does not read as the type stays text, for the schema to refuse", () => {
  assert.deepEqual(readTexts(schema, { z: "0x1", threshold: "NaN", stretch: "yes" }), {
    z: "0x1",
    threshold: "NaN",
    stretch: "yes",
  });
});

test("an empty number is absent, an empty text is a text, and the last of several counts", () => {
  assert.deepEqual(readTexts(schema, { threshold: "", name: "", z: ["1", "2"] }), { name: "", z: 2 });
});
