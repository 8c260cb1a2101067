import assert from "node:assert/strict";
import { test } from "node:test";
import { applyDiff, readDiff } from "./apply-diff.ts";
import { readSteps } from "./read-steps.ts";

const PAGE = [
  "# Page",
  "",
  "## Add a thing",
  "",
  "1. Write `a/b.ts`:",
  "",
  "   ```ts",
  "   export const b = 1;",
  "   ```",
  "",
  "2. List it:",
  "",
  "```diff",
  "--- a/list.ts",
  "+++ b/list.ts",
  "@@ -1,2 +1,3 @@",
  " one",
  "+b",
  " two",
  "```",
  "",
  "```sh",
  "npm run gen",
  "```",
  "",
  "An example for reading:",
  "",
  "```json",
  "{}",
  "```",
  "",
  "## Another",
  "",
].join("\n");

test("a section is read as files, diffs and commands, and examples are left out", () => {
  const steps = readSteps(PAGE, "Add a thing");
  assert.deepEqual(steps, [
    { kind: "file", path: "a/b.ts", text: "export const b = 1;\n" },
    { kind: "diff", text: "--- a/list.ts\n+++ b/list.ts\n@@ -1,2 +1,3 @@\n one\n+b\n two\n" },
    { kind: "commands", lines: ["npm run gen"] },
  ]);
  assert.throws(() => readSteps(PAGE, "Add nothing"), /no section/);
  assert.throws(() => readSteps(PAGE, "Another"), /no step/);
});

test("a hunk is applied where its context is, whatever its line numbers say", () => {
  const [diff] = readDiff("--- a/list.ts\n+++ b/list.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+b\n");
  assert.ok(diff !== undefined);
  assert.equal(diff.path, "list.ts");
  assert.equal(applyDiff("zero\none\ntwo\nthree\n", diff), "zero\none\nb\nthree\n");
  const [blank] = readDiff("--- a/list.ts\n+++ b/list.ts\n@@ -1,3 +1,4 @@\n one\n\n+b\n two\n");
  assert.equal(applyDiff("one\n\ntwo\n", blank!), "one\n\nb\ntwo\n", "an empty line is context");
  assert.throws(() => applyDiff("zero\none\n", diff), /list\.ts does not have the lines\none\ntwo/);
});
