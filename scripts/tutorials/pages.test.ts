import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { readBlocks } from "./read-page.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const TUTORIALS = globSync("docs/tutorials/*.md", { cwd: ROOT });

function read(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

test("the README sets up with two commands and leads to every tutorial", () => {
  const page = read("README.md");
  assert.equal(readBlocks(page)[0]?.text, "npm ci && npm run demo\nnpm ci && npm test");
  assert.ok(TUTORIALS.length >= 7, `${TUTORIALS.length} tutorials`);
  for (const tutorial of TUTORIALS) assert.ok(page.includes(`(${tutorial.replaceAll("\\", "/")})`), tutorial);
});

test("links of README and tutorials lead to files, and every tutorial has commands and shows output", () => {
  for (const page of ["README.md", ...TUTORIALS]) {
    for (const [, target = ""] of read(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      if (!target.includes("://")) assert.ok(existsSync(join(ROOT, dirname(page), target)), `${page}: ${target}`);
    }
    const blocks = readBlocks(read(page));
    assert.ok(blocks.filter(({ language, saveAs }) => language === "sh" && saveAs === null).length > 1, page);
    assert.ok(
      blocks.some(({ shown }) => shown !== null),
      page,
    );
  }
});
