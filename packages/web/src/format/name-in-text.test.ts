import assert from "node:assert/strict";
import { test } from "node:test";
import { assert as assertProperty, constantFrom, property, string } from "fast-check";
import { jsonInText, nameInText } from "./name-in-text.ts";

test("a name from left to right stays as it is", () => {
  assert.equal(nameInText("Fields of the north <1>"), "Fields of the north <1>");
  assert.equal(nameInText("Ærø, 港"), "Ærø, 港");
});

test("a name from right to left is isolated from the words around it", () => {
  assert.equal(nameInText("שדה"), "\u2068שדה\u2069");
});

test("no mark of a name turns the text behind it or ends its isolation", () => {
  const mark = constantFrom("\u202a", "\u202b", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "a", "ש");
  assertProperty(
    property(string({ unit: mark }), (name) => {
      const shown = nameInText(name);
      assert.doesNotMatch(shown.slice(1, -1), /[\u202a-\u202e\u2066-\u2069]/);
      if (shown !== name) assert.ok(shown.startsWith("\u2068") && shown.endsWith("\u2069"));
    }),
    { endOnFailure: true },
  );
});

test("JSON is the same value after its marks are escaped", () => {
  const value = { name: "a\u202eb\u2069", n: 1 };
  assert.equal(jsonInText(value), String.raw`{"name":"a\u202eb\u2069","n":1}`);
  assert.deepEqual(JSON.parse(jsonInText(value)), value);
  assert.equal(jsonInText(undefined), "");
});
