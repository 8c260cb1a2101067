import assert from "node:assert/strict";
import { test } from "node:test";
import type { FoundObject } from "../../analysis/block.ts";
import { RIGS, seriesOf, SHIPS } from "./series-testing.ts";

const classesOf = (objects: readonly FoundObject[]): readonly unknown[] =>
  objects.map(({ className, centre, properties }) => [className, ...centre.map(Math.round), properties["sightings"]]);

test("what stands at one place through the series is fixed, ships of the last date are ships", () => {
  const { objects, fixedPx } = seriesOf([0, 12, 24, 36]);
  const fixed = objects.filter(({ className }) => className === "fixed");
  assert.equal(fixed.length, RIGS.length, JSON.stringify(classesOf(objects)));
  assert.ok(fixed.every(({ properties }) => properties["sightings"] === 4 && properties["spanDays"] === 36));
  assert.equal(objects.length - fixed.length, SHIPS[3].length);
  assert.ok(fixedPx >= 0.8 * RIGS.length * 36, `${fixedPx} pixels`);
});

test("three weeks are needed, for ships lie at anchor for days", () => {
  const { objects } = seriesOf([0, 6, 12, 18]);
  assert.ok(objects.every(({ className }) => className === "ships"));
  assert.equal(objects.length, RIGS.length + SHIPS[3].length);
});

test("fixed targets do not depend on the blocks they were found in", () => {
  assert.deepEqual(classesOf(seriesOf([0, 12, 24], 256).objects), classesOf(seriesOf([0, 12, 24]).objects));
});
