import assert from "node:assert/strict";
import { test } from "node:test";
import { testScene } from "../credits/testing.ts";
import { sceneFileNames, sceneFiles } from "./scene-files.ts";

test("files are named after bands in letters, digits and dashes, and no two alike", () => {
  assert.deepEqual(
    sceneFileNames(["Red", "Narrow NIR", "B8A / 2", "red", "Rot é", "", null, "../../etc", "mask", "red-2"], 2),
    ["red", "narrow-nir", "b8a-2", "red-2", "rot", "band", "band-2", "etc", "mask", "red-2-2", "mask-2", "mask-3"],
  );
  const [long = ""] = sceneFileNames(["x".repeat(500)], 0);
  assert.match(`${long}.tif`, /^[a-z0-9-]{1,64}\.tif$/u);
});

test("bands that share a mask have one file of it", () => {
  const { raster, scene } = testScene("masked");
  const bands = raster.bands.map((band, index) => ({ ...band, maskKey: index < 3 ? "scenes/masked/m0.tif" : null }));
  const files = sceneFiles(scene, { ...raster, bands });
  assert.deepEqual(
    files.map(({ band, isMask, key, name }) => [name, key, band, isMask]),
    [
      ["b", "scenes/masked/0.tif", 0, false],
      ["g", "scenes/masked/1.tif", 1, false],
      ["r", "scenes/masked/2.tif", 2, false],
      ["n", "scenes/masked/3.tif", 3, false],
      ["mask", "scenes/masked/m0.tif", 0, true],
    ],
  );
});

test("a scene that is in the store in parts has no files", () => {
  const { raster, scene } = testScene("parts");
  assert.deepEqual(sceneFiles(scene, { ...raster, tiles: [] }), []);
});
