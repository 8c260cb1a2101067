import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createMapTypes } from "../../packages/maps/src/registry.ts";
import { pageOf } from "./cards.ts";
import type { Figure } from "./figure.ts";
import { SUITES } from "./suites.ts";

interface Measured {
  readonly suite: string;
  readonly figures: readonly Figure[];
}

const measured = JSON.parse(readFileSync(join(import.meta.dirname, "figures.json"), "utf8")) as readonly Measured[];
const pages = createMapTypes([]).all.map(pageOf);

test("every suite is a file of its name", () => {
  for (const { name } of SUITES) {
    assert.ok(existsSync(join(import.meta.dirname, "suites", `${name}.ts`)), `there is no suites/${name}.ts`);
  }
});

test("a map type names the suites that give it figures, and no others", () => {
  const named = new Set(pages.flatMap(({ name, measuredBy }) => measuredBy.map((suite) => `${name}: ${suite}`)));
  const found = new Set(measured.flatMap(({ suite, figures }) => figures.map(({ page }) => `${page}: ${suite}`)));
  assert.deepEqual([...named].toSorted(byText), [...found].toSorted(byText));
});

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
