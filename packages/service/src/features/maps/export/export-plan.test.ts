import assert from "node:assert/strict";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { isWithin, tileBounds } from "@swath/kernel/tiles/tile";
import { boxArea } from "../../credits/testing.ts";
import {
  blockCount,
  blocksOf,
  BLOCK_PX,
  pixelGridOf,
  pyramidOf,
  tilesOf,
  zoomOfPixels,
  type PixelGrid,
  type WebGrid,
} from "./export-plan.ts";

function onWeb(grids: readonly PixelGrid[]): readonly WebGrid[] {
  return grids.filter((grid) => grid.kind === "grid");
}

const box = fc
  .tuple(
    fc.double({ min: -179, max: 178, noNaN: true }),
    fc.double({ min: -80, max: 79, noNaN: true }),
    fc.double({ min: 0.001, max: 0.9, noNaN: true }),
  )
  .map(([west, south, size]) => boxArea([west, south, west + size, south + size / 2]));

test("the pixels of an area are those of the tiles of the zoom, and just enough to cover it", () => {
  fc.assert(
    fc.property(box, fc.integer({ min: 3, max: 15 }), (area, zoom) => {
      const grid = pixelGridOf(area, zoom, 512);
      const side = (2 * Math.PI * 6_378_137) / 2 ** zoom;
      assert.ok(Math.abs(grid.pixelSizeM - side / 512) < 1e-9 * side);
      const column = (grid.originXM + Math.PI * 6_378_137) / grid.pixelSizeM;
      assert.ok(Math.abs(column - Math.round(column)) < 1e-4, "whole pixels of the plane");
      const [[[[west, south], , [east]]]] = area.coordinates as unknown as [[[[number, number], unknown, [number]]]];
      const right = grid.originXM + grid.widthPx * grid.pixelSizeM;
      const expected = ((east - west) * Math.PI * 6_378_137) / 180;
      assert.ok(right - grid.originXM >= expected - 1e-3);
      assert.ok(right - grid.originXM < expected + 2 * grid.pixelSizeM);
      assert.ok(Number.isFinite(south));
    }),
  );
});

test("overviews halve until one block holds all, and blocks tile every level", () => {
  const levels = onWeb(pyramidOf(pixelGridOf(boxArea([14, 50, 14.5, 50.2]), 12, 512)));
  const last = levels.at(-1)!;
  assert.ok(last.widthPx <= BLOCK_PX && last.heightPx <= BLOCK_PX);
  for (const [index, grid] of levels.entries()) {
    assert.equal(grid.pixelSizeM, levels[0]!.pixelSizeM * 2 ** index);
    const blocks = onWeb(blocksOf(grid));
    assert.equal(blocks.length, blockCount(grid));
    const rightmost = Math.max(...blocks.map(({ originXM }) => originXM)) + BLOCK_PX * grid.pixelSizeM;
    assert.ok(rightmost >= grid.originXM + grid.widthPx * grid.pixelSizeM - 1e-6);
  }
});

test("blocks and overviews of a native grid begin at pixels of the scene", () => {
  const full = { kind: "native", position: 2, crsEpsg: null, reduction: 1, column: 7, row: 3 } as const;
  const levels = pyramidOf({ ...full, widthPx: 1500, heightPx: 700 });
  assert.deepEqual(
    levels.map((level) =>
      level.kind === "native" ? [level.reduction, level.column * level.reduction, level.widthPx] : [],
    ),
    [
      [1, 7, 1500],
      [2, 7, 750],
      [4, 7, 375],
    ],
  );
  const last = blocksOf(levels[0]!).at(-1)!;
  assert.deepEqual(last, {
    ...full,
    column: 7 + 2 * BLOCK_PX,
    row: 3 + BLOCK_PX,
    widthPx: BLOCK_PX,
    heightPx: BLOCK_PX,
  });
});

test("the deepest zoom of a scene has pixels that are not finer than its own, and the next one has", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.3, max: 2_000, noNaN: true }), fc.constantFrom(256, 512), (pixelM, side) => {
      const zoomPixelM = (zoom: number): number => (2 * Math.PI * 6_378_137) / 2 ** zoom / side;
      const zoom = zoomOfPixels(pixelM, side);
      assert.ok(zoomPixelM(zoom) >= pixelM * 0.998);
      assert.ok(zoomPixelM(zoom + 1) < pixelM);
    }),
  );
});

test("the tiles of an area are descendants of the listed ones and share area with it", async () => {
  const area = boxArea([14.05, 50.05, 14.15, 50.1]);
  const listed = [{ zoom: 11, x: 1103, y: 693 }];
  const { tiles, count } = await tilesOf(area, listed, 13);
  assert.equal(tiles.length, count);
  assert.ok(count > 1);
  for (const tile of tiles) {
    assert.ok(isWithin(tile, [11, 1103, 693]));
    const [west, south, east, north] = tileBounds(tile);
    assert.ok(west < 14.15 && east > 14.05 && south < 50.1 && north > 50.05);
  }
  assert.ok(areaKm2(area) > 0);
  const far = await tilesOf(area, listed, 24);
  assert.deepEqual(far.tiles, []);
  assert.ok(far.count > 1000, "only counted");
});

test("counting the tiles of a detailed area lets others run, and ends with its request", async () => {
  const ring = Array.from({ length: 9001 }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * (i % 9000)) / 9000;
    const radiusDeg = i % 2 === 0 ? 1 : 0.5;
    return [15 + radiusDeg * Math.cos(angle), 50 + radiusDeg * Math.sin(angle)];
  });
  const area: MultiPolygon = { type: "MultiPolygon", coordinates: [[ring]] };
  const listed = [{ zoom: 0, x: 0, y: 0 }];
  let turns = 0;
  const counting = tilesOf(area, listed, 12);
  const isOver = counting.then(() => true);
  while (!(await Promise.race([isOver, nextTurn(false)]))) turns += 1;
  assert.ok((await counting).count > 400);
  assert.ok(turns >= 3, `others had ${turns} turns`);
  await assert.rejects(tilesOf(area, listed, 12, AbortSignal.abort(new Error("gone"))), /gone/);
});
