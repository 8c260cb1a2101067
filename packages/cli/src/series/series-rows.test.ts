import assert from "node:assert/strict";
import { test } from "node:test";
import type { StatisticsRow } from "./priced-statistics.ts";
import { seriesCsv, seriesLines, seriesTable, sortedRows } from "./series-rows.ts";

function row(datetime: string, mean: number | null, mapType = "ndvi", layer = "NDVI"): StatisticsRow {
  const some = { mean, std: 0.1, min: -0.5, max: 0.5, count: 9, clearShare: 0.75 };
  return {
    area: "0",
    mapType,
    layer,
    datetime,
    sceneId: `scene,"${datetime.slice(0, 4)}"`,
    validShare: 1,
    percentiles: null,
    histogram: null,
    classes: null,
    objects: null,
    ...(mean === null ? { mean, std: null, min: null, max: null, count: 0, clearShare: 0 } : some),
  };
}

test("rows are in order of types and time, and their CSV is empty where nothing is known", () => {
  const rows = [
    row("2024-02-01 00:00:00", null),
    row("2024-01-01 00:00:00", 0.25),
    row("2024-01-01 00:00:00", 1, "evi", "EVI"),
  ];
  const sorted = sortedRows(rows, ["evi", "ndvi"]);
  assert.deepEqual(
    sorted.map(({ mapType, datetime }) => `${mapType} ${datetime.slice(0, 7)}`),
    ["evi 2024-01", "ndvi 2024-01", "ndvi 2024-02"],
  );
  assert.deepEqual(seriesCsv(sorted.slice(1)).split("\r\n"), [
    "mapType,layer,datetime,sceneId,clearShare,count,mean,std,min,max",
    'ndvi,NDVI,2024-01-01 00:00:00,"scene,""2024""",0.75,9,0.25,0.1,-0.5,0.5',
    'ndvi,NDVI,2024-02-01 00:00:00,"scene,""2024""",0,0,,,,',
    "",
  ]);
});

test("map types with several layers have a line for each layer", () => {
  const rows = sortedRows(
    [
      row("2024-01-01 00:00:00", 1, "imagery", "Red"),
      row("2024-01-01 00:00:00", 2, "imagery", "Blue"),
      row("2024-01-01 00:00:00", null),
    ],
    ["imagery", "ndvi"],
  );
  const timeMs = Date.UTC(2024, 0, 1);
  assert.deepEqual(seriesLines(rows), [
    { name: "imagery Red", points: [{ timeMs, value: 1 }] },
    { name: "imagery Blue", points: [{ timeMs, value: 2 }] },
    { name: "ndvi", points: [{ timeMs, value: null }] },
  ]);
  assert.match(seriesTable(rows).join("\n"), /imagery Blue +75 % +9 +2\.000/);
});
