import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "./exit-code.ts";
import { parseBox, readExtent } from "./extent.ts";
import { parseInstant } from "./instant.ts";
import { describeBands } from "./sensors.ts";

test("a box is four numbers, west south east north", async () => {
  assert.deepEqual(parseBox("1, 2, 3, 4")?.coordinates[0], [
    [1, 2],
    [3, 2],
    [3, 4],
    [1, 4],
    [1, 2],
  ]);
  assert.equal(parseBox("area.geojson"), null);
  assert.equal(parseBox("1,2,3"), null);
  assert.equal(parseBox("1,2,,4"), null);
  assert.throws(() => parseBox("1,5,3,4"), UsageError);
  assert.throws(() => parseBox("1,2,1,4"), UsageError);
});

test("a box whose east is west of its west crosses the antimeridian", () => {
  assert.deepEqual(parseBox("170,-10,-170,10")?.coordinates[0]?.[1], [190, -10]);
});

test("an extent may be GeoJSON itself, and a missing file is named", async () => {
  assert.deepEqual(await readExtent('{"type":"Point","coordinates":[1,2]}'), { type: "Point", coordinates: [1, 2] });
  await assert.rejects(readExtent('{"type":"Circle"}'), UsageError);
  await assert.rejects(readExtent("/nowhere/area.geojson"), /ENOENT/);
});

test("dates and times become UTC text", () => {
  assert.equal(parseInstant("2026-06-03", "--from"), "2026-06-03 00:00:00");
  assert.equal(parseInstant("2026-06-03 11:24", "--from"), "2026-06-03 11:24:00");
  assert.equal(parseInstant("2026-06-03T11:24:36Z", "--from"), "2026-06-03 11:24:36");
  assert.equal(parseInstant("2026-06-03T11:24:36.5+02:00", "--from"), "2026-06-03 09:24:36");
  for (const wrong of ["yesterday", "2026-13-01", "2026-02-30", "03.06.2026"]) {
    assert.throws(() => parseInstant(wrong, "--from"), UsageError, wrong);
  }
});

test("bands of a sensor are known by code and by name", () => {
  const { satellite, bands } = describeBands(["B04", "nir"], "sentinel-2");
  assert.equal(satellite, "Sentinel-2");
  assert.deepEqual(
    bands.map(({ names, role }) => [names[0], role]),
    [
      ["Red", "R"],
      ["NIR", "N"],
    ],
  );
  assert.equal(bands[0]?.reflectanceMult, 0.0001);
  assert.throws(() => describeBands(["B13"], "sentinel-2"), /has no band "B13"/);
  assert.throws(() => describeBands(null, "sputnik"), /expected one of/);
});

test("without a sensor colour names are understood and other names kept", () => {
  assert.deepEqual(
    describeBands(["red", "HH"], null).bands.map(({ names, role }) => [names[0], role]),
    [
      ["Red", "R"],
      ["HH", undefined],
    ],
  );
});
