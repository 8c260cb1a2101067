import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { NativeWindow } from "@swath/raster/sample/grid-window";
import type { GridRequest } from "./grid-renderer.ts";
import { nativePixel } from "./native-pixel.ts";
import { LAT, LON, sharedScene } from "./optical-scene-testing.ts";
import type { PixelValues } from "./point-values.ts";
import { renderInProcess } from "./render-in-process.ts";
import { landCover, RESULT_SIZE, resultRequest } from "./result-scene-testing.ts";
import { bodyOf, gridRequest } from "./testing.ts";

function pixel(column: number, row: number): NativeWindow {
  return { kind: "native", position: 0, crsEpsg: null, reduction: 1, column, row, widthPx: 1, heightPx: 1 };
}

async function valuesOf(
  blobs: Parameters<typeof renderInProcess>[0],
  request: GridRequest,
): Promise<readonly PixelValues[]> {
  using renderer = renderInProcess(blobs, 2 ** 22);
  return JSON.parse(new TextDecoder().decode(bodyOf(await renderer.render(request))));
}

/** Over all of the scene, beyond the blocks that one read fetches. */
const SCATTERED = Array.from({ length: 100 }, (_, i) => pixel((i * 379) % 1_000, (i * 613) % 1_000));

test("a hundred pixels of a remote scene equal those of a local one, and are fetched together", async () => {
  const { stored, local, remote } = await sharedScene();
  for (const mapType of ["imagery", "ndvi"]) {
    const request = gridRequest(stored, mapType, "values", SCATTERED[0], { pixels: SCATTERED, clip: null });
    const expected = await valuesOf(local, request);
    assert.equal(expected.length, 100);
    assert.ok(expected.some((values) => values![0].value !== null));
    assert.ok(
      expected.some((values) => values![0].value === null),
      "the scene has a corner without data",
    );
    assert.deepEqual(await valuesOf(remote, request), expected);
  }
});

test("a layer of classes has the number and the name of the class", async () => {
  await using fixture = await landCover();
  const pixels = [pixel(10, 10), pixel(50, 10), pixel(130, 90), pixel(RESULT_SIZE - 1, RESULT_SIZE - 1)];
  const request = resultRequest(fixture, "wrunc", "values", pixels[0], { pixels, clip: null });
  // Squares of 40 pixels: classes (column / 40 + 2 * row / 40) mod 6.
  const numbers = [0, 1, (3 + 2 * 2) % 6, (14 + 2 * 14) % 6];
  const { rendering } = request;
  assert.ok(rendering.kind === "result");
  const [layer] = rendering.layers;
  assert.ok(layer?.kind === "classes");
  assert.deepEqual(
    await valuesOf(fixture.local, request),
    numbers.map((number) => [
      {
        name: layer.name,
        unit: "class number",
        value: number === 0 ? null : number,
        className: layer.classes.find(({ value }) => value === number)?.name ?? null,
      },
    ]),
  );
});

test("the pixel of a coordinate is the one that holds it, at most as coarse as asked for", async () => {
  const { raster }: StoredScene = (await sharedScene()).stored;
  const found = (coarsestM: number | null) => nativePixel(raster, 0, [LON, LAT], coarsestM)!;
  const own = found(null);
  assert.ok(Math.abs(own.resolutionM - 10) < 0.05, `${own.resolutionM} m`);
  for (const [coarsestM, reduction] of [
    [5, 1],
    [19, 1],
    [20, 2],
    [100, 8],
    [1e7, 512],
  ] as const) {
    const { window, resolutionM } = found(coarsestM);
    assert.equal(window.reduction, reduction);
    assert.equal(window.column, Math.floor(own.window.column / reduction));
    assert.equal(window.row, Math.floor(own.window.row / reduction));
    assert.ok(Math.abs(resolutionM - 10 * reduction) < 0.05 * reduction);
  }
  assert.equal(nativePixel(raster, 0, [LON + 1, LAT], null), null);
});
