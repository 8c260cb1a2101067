import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import { createMapTypes } from "../../packages/maps/src/registry.ts";
import { pageOf } from "./cards.ts";
import { CHOICES, CROSS_VALIDATIONS, useOf, WITHOUT_LABELS } from "./choices.ts";
import { bestMaturity, validates } from "./evidence.ts";
import type { Figure } from "./figure.ts";
import { sourceOf, SOURCES } from "./sources.ts";

const measured = JSON.parse(readFileSync(join(import.meta.dirname, "figures.json"), "utf8")) as readonly {
  readonly figures: readonly Figure[];
}[];
const figures = measured.flatMap((one) => one.figures);
const { all } = createMapTypes([]);

test("a declared grade is the best that the figures allow, or experimental", () => {
  for (const mapType of all) {
    const { name } = pageOf(mapType);
    if (name === "index" || mapType.maturity === "experimental") continue;
    const best = bestMaturity(figures.filter(({ page }) => page === name));
    assert.equal(mapType.maturity, best, `${mapType.id}: its figures make it ${best}, or declare it experimental`);
  }
});

test("as many indices are validated as the suite compares with another implementation", () => {
  const compared = new Map(
    figures
      .filter(({ page, metric, value }) => page === "index" && metric === "share within 1e-6 of numpy" && value === 1)
      .map(({ data, over }) => [data.replace(/^.*_/, ""), Number.parseInt(over, 10)]),
  );
  const validated = all.filter(({ id, maturity }) => Object.hasOwn(SPECTRAL_INDICES, id) && maturity === "validated");
  assert.equal(
    validated.length,
    [...compared.values()].reduce((sum, count) => sum + count, 0),
  );
});

test("a scene that chose a limit validates nothing, whatever its figure", () => {
  const met = { mapType: "wrunc", page: "wrunc", metric: "overall accuracy", value: 0.99, interval: null, over: "1" };
  const bar = { kind: "at-least", value: 0.75 } as const;
  assert.equal(validates({ ...met, bar, data: "Sentinel-2 433D_629L_3_1, Esri labels" }), false);
  assert.equal(validates({ ...met, bar, data: "Sentinel-2 Leipzig, 97 labelled points" }), true);
  assert.equal(validates({ ...met, bar, value: 0.7, data: "Sentinel-2 Leipzig, 97 labelled points" }), false);
  assert.equal(validates({ ...met, bar: null, data: "Sentinel-2 Leipzig, 97 labelled points" }), false);
  assert.equal(validates({ ...met, bar, data: "simulated Sentinel-2" }), false);
});

test("other processing and another sensor at the place of a choice are not held out either", () => {
  const { place } = sourceOf("Sentinel-2 433D_629L_3_1 at the top of the atmosphere, Esri labels")!;
  assert.equal(
    useOf("wrunc", "Sentinel-2 433D_629L_3_1 at the top of the atmosphere, Esri labels", place).kind,
    "chosen",
  );
});

test("data that neither a source nor its name explains is refused", () => {
  assert.throws(() => sourceOf("Sentinel-2 of somewhere"), RangeError);
  for (const { data } of figures) sourceOf(data);
});

test("no figure calls itself held out on a place that chose a limit", () => {
  for (const { page, data } of figures) {
    const source = sourceOf(data);
    if (source === null) continue;
    if (data.startsWith("held out")) assert.equal(useOf(page, data, source.place).kind, "held-out", `${page}: ${data}`);
    if (data.startsWith("limits chosen here")) {
      assert.equal(useOf(page, data, source.place).kind, "chosen", `${page}: ${data}`);
    }
  }
});

test("every source, choice and exception belongs to a figure", () => {
  for (const { match } of SOURCES)
    assert.ok(
      figures.some(({ data }) => sourceOf(data)?.match === match),
      match,
    );
  for (const { page, scene } of CHOICES) {
    assert.ok(
      figures.some((figure) => figure.page === page && figure.data.includes(scene)),
      `${page}: ${scene}`,
    );
  }
  for (const { page, match } of WITHOUT_LABELS) {
    assert.ok(
      figures.some((figure) => figure.page === page && figure.data.includes(match)),
      `${page}: ${match}`,
    );
  }
  for (const { page, scenes } of CROSS_VALIDATIONS) {
    for (const scene of scenes) {
      assert.ok(
        figures.some((figure) => figure.page === page && figure.data.includes(scene)),
        `${page}: ${scene}`,
      );
    }
  }
});
