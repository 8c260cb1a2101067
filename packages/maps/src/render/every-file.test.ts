import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResultLayer } from "@swath/kernel/raster-mathematics/rendering";
import { unzipped } from "@swath/raster/archive/testing";
import { createMapTypes } from "../registry.ts";
import { renderInProcess } from "./render-in-process.ts";
import { bodyOf, gridRequest, jsonOf, sceneFixture } from "./testing.ts";

const mapTypes = createMapTypes([]);

const SIZE = 64;
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  webp: "image/webp",
  ski: "application/gzip",
  json: "application/json",
  geojson: "application/geo+json",
  geotiff: "image/tiff; application=geotiff",
  "visu-geotiff": "image/tiff; application=geotiff",
  shz: "application/zip",
  zip: "application/zip",
};

/** Stripes of all classes, or all values of the range. */
function planeOf(layer: ResultLayer): Uint8Array | Float32Array {
  const place = (i: number): number => (i % SIZE) / SIZE;
  if (layer.kind === "classes") {
    const { classes } = layer;
    return Uint8Array.from(
      { length: SIZE * SIZE },
      (_, i) => classes[Math.floor(place(i) * classes.length)]?.value ?? 0,
    );
  }
  const [low, high] = layer.range;
  return Float32Array.from({ length: SIZE * SIZE }, (_, i) => low + (high - low) * place(i));
}

test("every file of every analysed map type is drawn for a whole area", async () => {
  const analysed = mapTypes.all.filter(({ rendering }) => rendering.kind === "result");
  assert.ok(analysed.length >= 4);
  for (const { id, rendering, gridFiles } of analysed) {
    if (rendering.kind !== "result") continue;
    const planes = rendering.layers.map(planeOf);
    const isClass = planes.every((plane) => plane instanceof Uint8Array);
    await using fixture = await sceneFixture({
      widthPx: SIZE,
      heightPx: SIZE,
      bands: planes,
      roles: planes.map(() => null),
      quantity: isClass ? "class" : "other",
      nodata: isClass ? 0 : null,
    });
    using renderer = renderInProcess(fixture.local, 2 ** 22);
    const draw = async (fileName: string) =>
      await renderer.render(
        gridRequest(
          fixture.stored,
          id,
          fileName,
          { kind: "scene", maxSizePx: SIZE },
          { result: { objects: [], metadata: {} } },
        ),
      );
    for (const [suffix, names] of Object.entries(gridFiles)) {
      for (const name of names) {
        const file = await draw(name);
        assert.equal(file.kind, "file", `${id} ${name}`);
        if (file.kind === "file") assert.equal(file.mediaType, MEDIA_TYPES[suffix], `${id} ${name}`);
      }
    }
    const metadata = jsonOf(await draw("metadata.json"));
    for (const member of [
      "mapType",
      "version",
      "algoVersion",
      "sceneId",
      "mapId",
      "algorithm",
      "classes",
      "statistics",
      "validRatio",
      "cloudRatio",
      "quality",
    ]) {
      assert.ok(member in metadata, `${id}: ${member}`);
    }
    const [archive] = gridFiles.zip ?? [];
    assert.ok(archive !== undefined && (await unzipped(bodyOf(await draw(archive)))).has("metadata.json"), id);
    assert.deepEqual(gridFiles.json, ["metadata.json", "area.json"], id);
    const hasObjects = Object.values(rendering.products).some(({ kind }) => kind === "objects");
    const hasClasses = rendering.layers.some(({ kind }) => kind === "classes");
    assert.equal((gridFiles.shz ?? []).length, hasObjects || hasClasses ? 1 : 0, id);
    assert.ok(!(hasObjects || hasClasses) || (gridFiles.geojson ?? []).length > 0, id);
  }
});
