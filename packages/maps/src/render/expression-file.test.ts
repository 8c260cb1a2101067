import assert from "node:assert/strict";
import { test } from "node:test";
import { readWithGdal, temporaryFolder, gdalInstalled } from "@swath/raster/tiff/gdal-testing";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { RAMPS } from "@swath/kernel/raster-mathematics/colormap";
import { createMapTypes } from "../registry.ts";
import { bodyOf, gridRequest, jsonOf, tileAt } from "./testing.ts";
import { LON, LAT, draw, rgbaOf, sharedScene } from "./optical-scene-testing.ts";

const NDVI = "expression:(nir - red) / (nir + red)";
const tile = tileAt(LON, LAT, 13);

test("a formula of roles or band names draws the picture of the index that it spells", async () => {
  const fixture = await sharedScene();
  const builtIn = await rgbaOf(bodyOf(await draw(fixture, gridRequest(fixture.stored, "ndvi", "ndvi.png", tile))));
  for (const id of [NDVI, "expression:(N-R)/(N+R)"]) {
    const own = await rgbaOf(bodyOf(await draw(fixture, gridRequest(fixture.stored, id, "expression.png", tile))));
    assert.deepEqual(own, builtIn);
  }
});

test("ramp and range are those of the id", async () => {
  const fixture = await sharedScene();
  const id = "expression:where(nir > red, 1, 0)?ramp=viridis&min=0&max=1";
  const rgba = await rgbaOf(bodyOf(await draw(fixture, gridRequest(fixture.stored, id, "expression.png", tile))));
  const colors = new Set<string>();
  for (let i = 0; i < rgba.length; i += 4) if (rgba[i + 3] === 255) colors.add(rgba.slice(i, i + 3).join());
  const ends = [RAMPS.viridis.slice(0, 3).join(), RAMPS.viridis.slice(-3).join()];
  // Values are resampled after they are computed, so that edges have colours between.
  for (const end of ends) assert.ok(colors.has(end), `${end} is absent`);
});

test("metadata names the formula and its bands, and a threshold beyond 1 has a meaning", async () => {
  const fixture = await sharedScene();
  const id = "expression:nir/red*10?ramp=heat&min=0&max=100";
  const request = gridRequest(fixture.stored, id, "metadata.json", tile, { userThreshold: 20 });
  const metadata = jsonOf(await draw(fixture, request));
  assert.deepEqual(metadata["algorithm"], {
    name: "expression",
    params: { formula: "nir/red*10", bands: ["nir", "red"] },
  });
  const { above, below } = metadata["classes"] as Record<string, { readonly pixels: number }>;
  assert.ok(above.pixels > 0 && below.pixels > 0);
});

test("the values of a formula are those of the index, as GDAL reads them", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  const fixture = await sharedScene();
  using folder = temporaryFolder();
  const valuesOf = async (mapType: string) => {
    const path = join(folder.path, "values.tif");
    await writeFile(path, bodyOf(await draw(fixture, gridRequest(fixture.stored, mapType, "analysis.geotiff", tile))));
    return readWithGdal(path, folder.path).bands[0];
  };
  assert.deepEqual(await valuesOf(NDVI), await valuesOf("ndvi"));
});

test("a scene without a band of the formula is refused with its bands and the nearest name", async () => {
  const { scene, raster } = (await sharedScene()).stored;
  const roles = raster.bands.map(({ role }) => role);
  const accepted = (id: string) => createMapTypes([]).find(id)?.accepts(scene, roles);
  assert.deepEqual(accepted(NDVI), { accepted: true });
  const refused = accepted("expression:swir16/nir");
  assert.ok(refused?.accepted === false);
  assert.equal(refused.errorCode, "UNSUPPORTED-IMAGERY");
  assert.match(refused.errorMessage, /has no band "swir16"; its bands are b \(B\), g \(G\), r \(R\), n \(N\)$/);
});
