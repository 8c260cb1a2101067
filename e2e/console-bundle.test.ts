import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleSizes } from "./browser/bundle-sizes.ts";

test("the console's files stay within their budgets, in KB after gzip", () => {
  const { firstScriptKb, allScriptKb, publishedScriptKb, styleKb, basemapKb } = bundleSizes();
  assert.ok(firstScriptKb > 50 && firstScriptKb <= 180, `script of the first page: ${firstScriptKb}`);
  assert.ok(allScriptKb >= firstScriptKb && allScriptKb <= 300, `all scripts: ${allScriptKb}`);
  assert.ok(publishedScriptKb > 50 && publishedScriptKb <= 160, `viewer of a published folder: ${publishedScriptKb}`);
  assert.ok(styleKb <= 12, `styles: ${styleKb}`);
  assert.ok(basemapKb <= 21, `first outlines of land: ${basemapKb}`);
});
