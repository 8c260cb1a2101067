import assert from "node:assert/strict";
import { test } from "node:test";
import { marked } from "./html.ts";

test("words between backticks are code, and no text becomes markup", () => {
  assert.equal(
    marked("Repeat after `nextTry` seconds & <b>wait</b>"),
    "Repeat after <code>nextTry</code> seconds &amp; &lt;b&gt;wait&lt;/b&gt;",
  );
  assert.equal(marked("a `<script>` and a lone ` stay text"), "a <code>&lt;script&gt;</code> and a lone ` stay text");
});
