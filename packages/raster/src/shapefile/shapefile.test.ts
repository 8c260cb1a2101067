import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { unzipped } from "../archive/testing.ts";
import { encodeShapefile, type ShapeFeature } from "./shapefile.ts";

const FEATURES: readonly ShapeFeature[] = [
  {
    rings: [
      [
        [14, 50],
        [15, 50],
        [15, 51],
        [14, 51],
        [14, 50],
      ],
      [
        [14.25, 50.25],
        [14.25, 50.75],
        [14.75, 50.75],
        [14.75, 50.25],
        [14.25, 50.25],
      ],
    ],
    attributes: { class: "město", area: 1234.5, areaPercentage: 99.25, areaPercentile: 3, count: 2 },
  },
  {
    rings: [
      [
        [-3, -1],
        [-2, -1],
        [-2.5, 1],
        [-3, -1],
      ],
    ],
    attributes: { class: "a".repeat(300), area: 1e-7, count: 1, note: "x" },
  },
];

function ogr(zip: Uint8Array): { features: { properties: Record<string, unknown>; geometry: unknown }[] } | null {
  if (spawnSync("ogr2ogr", ["--version"]).status !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), "swath-shape-"));
  try {
    writeFileSync(join(folder, "a.shz"), zip);
    const out = spawnSync("ogr2ogr", ["-f", "GeoJSON", "-lco", "RFC7946=YES", "/vsistdout/", join(folder, "a.shz")], {
      encoding: "utf8",
    });
    assert.equal(out.status, 0, out.stderr);
    assert.equal(out.stderr, "");
    return JSON.parse(out.stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("OGR reads polygons, holes, numbers, texts beyond ASCII and missing values back", async (t) => {
  const read = ogr(await encodeShapefile("parts", FEATURES, ["class", "area"]));
  if (read === null) {
    t.skip("GDAL is not installed");
    return;
  }
  const [first, second] = read.features;
  assert.deepEqual(first?.geometry, { type: "Polygon", coordinates: FEATURES[0]?.rings });
  assert.deepEqual(second?.geometry, { type: "Polygon", coordinates: FEATURES[1]?.rings });
  assert.deepEqual(first?.properties, {
    class: "město",
    area: 1234.5,
    areaPercen: 99.25,
    areaPerc_1: 3,
    count: 2,
    note: null,
  });
  assert.equal(second?.properties["class"], "a".repeat(254));
  assert.equal(second?.properties["area"], 1e-7);
  assert.equal(second?.properties["areaPercen"], null);
});

test("the parts of the archive are all there, and the same features give the same bytes", async () => {
  const zip = await encodeShapefile("parts", FEATURES, []);
  assert.deepEqual(await encodeShapefile("parts", FEATURES, []), zip);
  const files = await unzipped(zip);
  assert.deepEqual(
    [...files.keys()],
    ["shp", "shx", "dbf", "prj", "cpg"].map((suffix) => `parts.${suffix}`),
  );
  const shp = files.get("parts.shp")!;
  assert.equal(new DataView(shp.buffer).getInt32(24) * 2, shp.length, "the header tells the length in 16-bit words");
});

test("a shapefile without a feature has its fields", async (t) => {
  const read = ogr(await encodeShapefile("nothing", [], ["class", "area"]));
  if (read === null) t.skip("GDAL is not installed");
  else assert.deepEqual(read.features, []);
});
