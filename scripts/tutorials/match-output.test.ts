import assert from "node:assert/strict";
import { test } from "node:test";
import { isShown } from "./match-output.ts";

test("output is shown when all its lines are there, in order, whatever the width of columns", () => {
  assert.ok(isShown("a  1\nb   2", "a 1\nb 2\n\n"));
  assert.ok(!isShown("a 1", "a 1\nb 2\n"));
  assert.ok(!isShown("a 1\nb 2", "b 2\na 1\n"));
  assert.ok(!isShown("a.b (1)", "axb (1)"));
});

test("dots stand for text within a line, and alone for any lines", () => {
  assert.ok(isShown("scene … of 5 km2", "scene local.uploads.1 of 5 km2"));
  assert.ok(!isShown("scene … of 5 km2", "scene local.uploads.1\nof 5 km2"));
  assert.ok(isShown("first\n…\nlast", "first\n1\n2\nlast"));
  assert.ok(isShown("first\n…", "first"));
  assert.ok(!isShown("first\n…\nlast", "first\n1\n2"));
});
