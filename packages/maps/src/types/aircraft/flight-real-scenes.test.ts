import assert from "node:assert/strict";
import { test } from "node:test";
import { detectAircraft } from "./detect-aircraft.ts";
import { paintFlight, type Flight } from "./flight-testing.ts";
import type { AnalysisBlock, FoundObject } from "../../analysis/block.ts";
import { fileSource } from "@swath/raster/tiff/byte-sources";
import { openTiff } from "@swath/raster/tiff/open";
import { sampleData } from "@swath/base/sample-data";
import { SENTINEL2_SECONDS } from "../../planning/sentinel2-times.ts";

const PIXEL_M = 10;
const SCENES = ["433D_629L_3_1_S2L2A.tif", "637U_59R_1_3_S2L2A.tif"] as const;
/** Positions of B02, B03 and B04. */
const COLOURS = [1, 2, 3] as const;

interface Colours {
  readonly planes: readonly Float32Array[];
  readonly columns: number;
  readonly rows: number;
}

async function coloursOf(path: string): Promise<Colours> {
  await using source = await fileSource(path);
  await using raster = await openTiff(source);
  const { widthPx, heightPx } = raster;
  const read = await raster.readRows(0, heightPx, AbortSignal.timeout(60_000));
  return {
    planes: COLOURS.map((band) => Float32Array.from(read[band] ?? [], (value) => value / 10_000)),
    columns: widthPx,
    rows: heightPx,
  };
}

function aircraftIn({ planes, columns, rows }: Colours): readonly FoundObject[] {
  const rect = { column: 0, row: 0, columns, rows };
  const ground = { metresPerPixelX: PIXEL_M, metresPerPixelY: PIXEL_M, northDeg: 0, lonDeg: 0, latDeg: 0 };
  const block: AnalysisBlock = { rect, core: rect, scenes: [planes], land: null, ground };
  return detectAircraft.compute(block, null, { mode: "flight", pixelM: PIXEL_M, parallaxS: SENTINEL2_SECONDS }).objects;
}

function flightAt(column: number, row: number, k: number): Flight {
  return {
    column,
    row,
    lengthM: 38 + ((k * 7) % 30),
    headingDeg: (k * 77) % 360,
    speedMs: 140 + ((k * 31) % 110),
    light: 0.4,
  };
}

test("real fields and towns without aircraft give none, and aircraft drawn over them are found", async (t) => {
  let [found, drawn] = [0, 0];
  for (const name of SCENES) {
    const path = sampleData("optical_s2", name);
    if (path === null) return t.skip("sample data absent");
    const colours = await coloursOf(path);
    assert.deepEqual(aircraftIn(colours), []);
    const flights = [40, 112, 180].flatMap((row, j) =>
      [40, 112, 180].map((column, i) => flightAt(column, row, 3 * j + i)),
    );
    for (const flight of flights) paintFlight(colours.planes, colours.columns, PIXEL_M, SENTINEL2_SECONDS, flight);
    const objects = aircraftIn(colours);
    const hits = flights.filter(({ column, row, headingDeg, speedMs }) => {
      const angle = (headingDeg * Math.PI) / 180;
      const along = (speedMs * SENTINEL2_SECONDS[0]) / PIXEL_M;
      const at = [column + Math.sin(angle) * along, row - Math.cos(angle) * along] as const;
      return objects.some(
        ({ centre, properties }) =>
          Math.hypot(centre[0] - at[0], centre[1] - at[1]) < 2 &&
          Math.abs(Number(properties["speedMs"]) - speedMs) < 12,
      );
    });
    assert.ok(objects.length <= hits.length + 1, `${objects.length} found, ${hits.length} are aircraft`);
    found += hits.length;
    drawn += flights.length;
  }
  assert.ok(found >= 0.75 * drawn, `${found} of ${drawn}`);
});
