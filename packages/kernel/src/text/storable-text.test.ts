import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isStorableText, storableText } from "./storable-text.ts";

test("texts of any language are kept as they are, others become storable", () => {
  assert.equal(storableText("Ærø 🛰 海"), "Ærø 🛰 海");
  assert.equal(storableText("a\0b\ud800"), "ab\ufffd");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.ok(isStorableText(storableText(text)));
      if (isStorableText(text)) assert.equal(storableText(text), text);
    }),
  );
});
