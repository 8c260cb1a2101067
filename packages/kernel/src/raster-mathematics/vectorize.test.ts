import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ringArea, vectorize, vectorizeNumbers } from "./vectorize.ts";

function bitmapOf(...rows: readonly string[]): { bitmap: Uint8Array; width: number; height: number } {
  const cells = rows.flatMap((row) => row.split("").map((cell) => (cell === "#" ? 1 : 0)));
  return { bitmap: Uint8Array.from(cells), width: rows[0]?.length ?? 0, height: rows.length };
}

test("a rectangle has its four corners", () => {
  const { bitmap, width, height } = bitmapOf("....", ".##.", ".##.");
  assert.deepEqual(vectorize(bitmap, width, height), [
    {
      exterior: [
        [1, 1],
        [3, 1],
        [3, 3],
        [1, 3],
        [1, 1],
      ],
      holes: [],
      areaCells: 4,
    },
  ]);
});

test("regions that touch at a corner only are two, and holes that do are one ring each", () => {
  const apart = bitmapOf("#.", ".#");
  assert.equal(vectorize(apart.bitmap, 2, 2).length, 2);
  const holed = bitmapOf("#####", "#.###", "##.##", "#####");
  const [region] = vectorize(holed.bitmap, 5, 4);
  assert.equal(region?.areaCells, 18);
  assert.equal(
    region?.holes.reduce((sum, hole) => sum - ringArea(hole), 0),
    2,
  );
});

test("areas of the rings add up to the cells and rings are closed with right angles", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 140 }),
      (width, cells) => {
        const height = Math.ceil(cells.length / width);
        const bitmap = new Uint8Array(width * height);
        cells.forEach((cell, index) => {
          bitmap[index] = cell ? 1 : 0;
        });
        const regions = vectorize(bitmap, width, height);
        const total = regions.reduce((sum, region) => sum + region.areaCells, 0);
        const rings = regions.flatMap((region) => [region.exterior, ...region.holes]);
        return (
          total === bitmap.reduce((sum, cell) => sum + cell, 0) &&
          regions.every(
            (region) => ringArea(region.exterior) > 0 && region.holes.every((hole) => ringArea(hole) < 0),
          ) &&
          rings.every(
            (ring) =>
              ring.length >= 5 &&
              String(ring[0]) === String(ring.at(-1)) &&
              ring.slice(1).every((corner, i) => (corner[0] === ring[i]?.[0]) !== (corner[1] === ring[i]?.[1])),
          )
        );
      },
    ),
  );
});

test("regions of numbers are those of each number alone", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 140 }),
      (width, cells) => {
        const height = Math.ceil(cells.length / width);
        const numbers = new Uint8Array(width * height);
        numbers.set(cells);
        const regions = vectorizeNumbers(numbers, width, height);
        for (const wanted of [1, 2, 3]) {
          const alone = vectorize(
            numbers.map((number) => (number === wanted ? 1 : 0)),
            width,
            height,
          );
          const own = regions
            .filter(({ number }) => number === wanted)
            .map((region) => ({ exterior: region.exterior, holes: region.holes, areaCells: region.areaCells }));
          assert.deepEqual(own, alone);
        }
      },
    ),
    { numRuns: 300 },
  );
});
