import assert from "node:assert/strict";
import { test } from "node:test";
import { lonLatToWebMercator, WEB_MERCATOR_HALF_SIDE_M, webMercatorToLonLat } from "@swath/kernel/crs/web-mercator";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { bodyOf, gridRequest, jsonOf, sceneFixture, tileAt } from "./testing.ts";
import { LON, LAT, sharedScene, rgbaOf, draw, boundsOf } from "./optical-scene-testing.ts";

const LONGLAT = { epsg: 4326, proj4: "+proj=longlat +datum=WGS84 +no_defs", name: "WGS 84", datumShiftKnown: true };

test("a scene across the antimeridian is drawn on both sides of it", async () => {
  for (const west of [179.5, -180.5]) {
    await using fixture = await sceneFixture({
      widthPx: 500,
      heightPx: 300,
      bands: [new Uint8Array(150_000).fill(99)],
      roles: [null],
      crs: LONGLAT,
      transform: [0.002, 0, west, 0, -0.002, 10],
    });
    for (const [lon, from, to] of [
      [179.9, 331, 512],
      [-179.9, 0, 181],
    ] as const) {
      const window = tileAt(lon, 9.7, 8);
      const rgba = await rgbaOf(
        bodyOf(await draw(fixture, gridRequest(fixture.stored, "imagery", "truecolor.png", window))),
      );
      const [, bottom, , top] = boundsOf(window);
      const row = 4 * 512 * Math.floor((512 * (top - lonLatToWebMercator(0, 9.7)[1])) / (top - bottom));
      const drawn = Array.from({ length: 512 }, (_, column) => rgba[row + 4 * column + 3] === 255);
      // A tile of zoom 8 is 1.40625 degrees wide; half a degree is 182 pixels.
      assert.equal(drawn.filter(Boolean).length, 182);
      assert.ok(drawn.slice(from, to).every(Boolean));
    }
    const clip: MultiPolygon = {
      type: "MultiPolygon",
      coordinates: [
        [
          [
            [179.7, 9.5],
            [180, 9.5],
            [180, 9.9],
            [179.7, 9.9],
            [179.7, 9.5],
          ],
        ],
        [
          [
            [-180, 9.5],
            [-179.8, 9.5],
            [-179.8, 9.9],
            [-180, 9.9],
            [-180, 9.5],
          ],
        ],
      ],
    };
    const bounds = [179.7, 9.5, 180.2, 9.9] as const;
    const request = gridRequest(
      fixture.stored,
      "imagery",
      "area.json",
      { kind: "bounds", bounds, maxSizePx: 2_048 },
      { clip },
    );
    const valid = Number(jsonOf(await draw(fixture, request))["valid"]);
    assert.ok(Math.abs(valid / (areaKm2(clip) * 1e6) - 1) < 2e-3, `${valid}`);
  }
});

test("at the lowest zooms a scene is a few pixels where it is and nothing anywhere else", async () => {
  const fixture = await sharedScene();
  for (const z of [0, 2, 4, 6]) {
    const request = gridRequest(fixture.stored, "imagery", "truecolor.png", tileAt(LON, LAT, z), {
      forceDownload: true,
    });
    const rgba = await rgbaOf(bodyOf(await draw(fixture, request)));
    const visible = rgba.filter((value, i) => i % 4 === 3 && value > 0).length;
    const pixelM = (2 * WEB_MERCATOR_HALF_SIDE_M) / 2 ** z / 512;
    const expected = (10_000 / Math.cos((LAT * Math.PI) / 180) / pixelM) ** 2;
    assert.ok(
      Math.abs(visible - expected) <= 2 + 4 * Math.sqrt(expected),
      `zoom ${z}: ${visible}, expected ${expected}`,
    );
  }
});

/** Of the middle of a pixel row of tile 1/1/0. */
function latitudeOf(row: number): number {
  return webMercatorToLonLat(0, WEB_MERCATOR_HALF_SIDE_M * (1 - (row + 0.5) / 512))[1];
}

test("a scene around a pole is drawn up to the edge of the map", async () => {
  await using fixture = await sceneFixture({
    widthPx: 800,
    heightPx: 800,
    bands: [new Uint8Array(640_000).fill(50)],
    roles: [null],
    crs: {
      epsg: 3413,
      proj4: "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
      name: "NSIDC north",
      datumShiftKnown: true,
    },
    transform: [2_500, 0, -1_000_000, 0, -2_500, 1_000_000],
  });
  const request = gridRequest(fixture.stored, "imagery", "truecolor.png", {
    kind: "tile",
    z: 1,
    x: 1,
    y: 0,
    sizePx: 512,
  });
  const rgba = await rgbaOf(bodyOf(await draw(fixture, request)));
  // The inscribed circle reaches down to 80.9 N: everything north of it is drawn.
  for (let row = 0; latitudeOf(row) > 81.2; row++) {
    for (let column = 0; column < 512; column++)
      assert.equal(rgba[4 * (row * 512 + column) + 3], 255, `${row}, ${column}`);
  }
  for (let column = 0; column < 512; column++) assert.equal(rgba[4 * (511 * 512 + column) + 3], 0);
});
