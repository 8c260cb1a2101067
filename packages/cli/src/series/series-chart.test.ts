import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { seriesSvg } from "./series-chart.ts";
import { seriesCsv, sortedRows, type SeriesRow } from "./series-rows.ts";

function row(datetime: string, mean: number | null, mapType = "ndvi"): SeriesRow {
  const none = { mean: null, std: null, min: null, max: null, count: 0, clearShare: 0 };
  const some = { mean, std: 0.1, min: -0.5, max: 0.5, count: 9, clearShare: 0.75 };
  return { mapType, datetime, sceneId: `scene,"${datetime.slice(0, 4)}"`, ...(mean === null ? none : some) };
}

test("points lie at their time and value, and dates without a clear pixel have none", async () => {
  const rows = [row("2024-01-01 00:00:00", 0.2), row("2024-01-11 00:00:00", null), row("2024-02-10 00:00:00", 0.6)];
  const svg = seriesSvg([...rows, row("2024-01-21 00:00:00", 0.4)], "a < b");
  assert.ok(svg !== null);
  const dots = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
  // 40 days on 800 pixels; values from 0.2 to 0.6 on 304.
  assert.deepEqual(dots, [
    [70, 350],
    [470, 198],
    [870, 46],
  ]);
  assert.match(svg, /a &lt; b/);
  for (const words of ["2024-01-01", "2024-02-10", "0.2", "0.6", "date, UTC"]) assert.ok(svg.includes(words), words);
  const { data, info } = await sharp(Buffer.from(svg)).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): readonly number[] => [
    ...data.subarray((y * info.width + x) * info.channels, (y * info.width + x) * info.channels + 3),
  ];
  assert.deepEqual(at(470, 198), [0x1f, 0x78, 0xb4], "a point in the picture");
  assert.ok(at(70, 120)[0]! < 0x60, "the upright axis");
});

test("a single date, equal values and no value at all are charts or none", () => {
  assert.ok(seriesSvg([row("2024-01-01 00:00:00", 0)], "one")?.includes("<circle"));
  assert.equal(seriesSvg([row("2024-01-01 00:00:00", null)], "none"), null);
  const svg = seriesSvg([row("2024-01-01 00:00:00", 3), row("2025-01-01 00:00:00", 3)], "even") ?? "";
  assert.doesNotMatch(svg, /NaN|Infinity/);
});

test("rows are in order of types and time, and their CSV is empty where nothing is known", () => {
  const rows = [
    row("2024-02-01 00:00:00", null),
    row("2024-01-01 00:00:00", 0.25),
    row("2024-01-01 00:00:00", 1, "evi"),
  ];
  const sorted = sortedRows(rows, ["evi", "ndvi"]);
  assert.deepEqual(
    sorted.map(({ mapType, datetime }) => `${mapType} ${datetime.slice(0, 7)}`),
    ["evi 2024-01", "ndvi 2024-01", "ndvi 2024-02"],
  );
  assert.deepEqual(seriesCsv(sorted.slice(1)).split("\r\n"), [
    "mapType,datetime,sceneId,clearShare,count,mean,std,min,max",
    'ndvi,2024-01-01 00:00:00,"scene,""2024""",0.75,9,0.25,0.1,-0.5,0.5',
    'ndvi,2024-02-01 00:00:00,"scene,""2024""",0,0,,,,',
    "",
  ]);
});
