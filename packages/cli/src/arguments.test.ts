import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { UsageError } from "./exit-code.ts";
import { parseBox, readExtent } from "./extent.ts";
import { parseInstant } from "./instant.ts";
import { sceneDocumentFor } from "./scene-document.ts";

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

test("numbers that are no box are a bad extent, not a missing file", async () => {
  for (const text of ["1,2,3", "1,2,,4", "1,2,3,4,5", "10.5,-3"]) {
    await assert.rejects(readExtent(text), /--extent is ".*", expected four numbers/, text);
  }
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

test("what options and documents say of a file becomes one scene document", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "swath-cli-"));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, "image.tif");
  assert.equal(await sceneDocumentFor(file, {}), null);
  assert.deepEqual(
    await sceneDocumentFor(file, { bands: "B02, B03,B04", sensor: "sentinel-2", datetime: "2026-06-03" }),
    {
      bands: ["B02", "B03", "B04"],
      sensor: "sentinel-2",
      datetime: "2026-06-03 00:00:00",
    },
  );
  await assert.rejects(sceneDocumentFor(file, { bands: "B02,,B04" }), UsageError);

  await writeFile(join(folder, "image.scene.json"), '{"satellite":"Beside","cloudCover":0.1}');
  assert.deepEqual(await sceneDocumentFor(file, { bands: "red" }), {
    satellite: "Beside",
    cloudCover: 0.1,
    bands: ["red"],
  });
  const named = join(folder, "named.json");
  await writeFile(named, '{"satellite":"Named"}');
  assert.deepEqual(await sceneDocumentFor(file, { metadata: named }), { satellite: "Named" });
  await writeFile(named, "[1]");
  await assert.rejects(sceneDocumentFor(file, { metadata: named }), /no JSON object/);
});
