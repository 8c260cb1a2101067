import assert from "node:assert/strict";
import { test } from "node:test";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { createMapTypes } from "@swath/maps/registry";
import {
  drawPdfPage,
  pdfAttachments,
  pdfText,
  popplerInstalled,
  type DrawnPage,
} from "../../../platform/pdf/poppler-testing.ts";
import { writeReport } from "../../../platform/pdf/write-report.ts";
import { boxArea } from "../../credits/testing.ts";
import { composeReport } from "./compose-report.ts";
import type { ReportedMap } from "./reported-map.ts";

const mapTypes = createMapTypes([]);
const [SEA, LAND, MARK] = ["#dfe9f2", "#f4f1e6", "#d7301f"];

function reported(mapType: string, area: MultiPolygon, more: Partial<ReportedMap> = {}): ReportedMap {
  const found = mapTypes.find(mapType);
  assert.ok(found !== undefined);
  return {
    mapType: found,
    sceneId: "scene",
    satellite: "Sentinel-2",
    dataset: "S2",
    datetime: "2024-05-01 10:00:00",
    area,
    geometryId: "area",
    layer: null,
    picture: null,
    base: null,
    metadata: {},
    areasM2: {},
    attribution: "",
    ...more,
  };
}

async function reportOf(...maps: readonly ReportedMap[]): Promise<Uint8Array> {
  return (await writeReport(composeReport({ maps: ["id"] }, maps, new Date("2026-03-04T05:06:07Z")))).body;
}

interface Overview {
  colorAt(lonDeg: number, latDeg: number): string;
  /** Pixels of a colour in the frame. */
  count(color: string): number;
  readonly pixels: number;
}

/** The overview on a page, found by its two colours; the bounds are those that it is said to show. */
function overviewOn(page: DrawnPage, [west, south, east, north]: Bounds): Overview {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const counts = new Map<string, number>();
  for (let y = 0; y < page.heightPx; y++) {
    for (let x = 0; x < page.widthPx; x++) {
      const color = page.colorAt(x, y);
      counts.set(color, (counts.get(color) ?? 0) + 1);
      if (color !== SEA && color !== LAND) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  assert.ok(right - left > 500 && bottom - top > 250, "the frame is as wide as the text");
  return {
    colorAt: (lon, lat) =>
      page.colorAt(
        left + ((lon - west) / (east - west)) * (right - left),
        top + ((north - lat) / (north - south)) * (bottom - top),
      ),
    count: (color) => counts.get(color) ?? 0,
    pixels: (right - left) * (bottom - top),
  };
}

async function overviewOf(area: MultiPolygon): Promise<Overview> {
  const map = reported("ndvi", area);
  const { overview } = composeReport({ maps: ["id"] }, [map], new Date(0));
  return overviewOn(drawPdfPage(await reportOf(map), 1), overview.bounds);
}

test("land is land up to the edges of the overview, the sea is sea, and lakes are no land", async (t) => {
  if (!popplerInstalled) {
    t.skip("poppler is not installed");
    return;
  }
  const prague = await overviewOf(boxArea([14.4, 50.05, 14.5, 50.1]));
  assert.equal(prague.count(SEA), 0);
  assert.ok(prague.count(LAND) > 0.95 * prague.pixels, `${prague.count(LAND)} of ${prague.pixels}`);

  const brisbane = await overviewOf(boxArea([153.05, -27.45, 153.15, -27.4]));
  for (const [lon, lat, color] of [
    [148.9, -27, LAND],
    [148.9, -29.2, LAND],
    [151.95, -27.56, LAND],
    [155, -26, SEA],
    [157.2, -29, SEA],
  ] as const) {
    assert.equal(brisbane.colorAt(lon, lat), color, `${lon}, ${lat}`);
  }

  const baku = await overviewOf(boxArea([49.8, 40.35, 49.9, 40.4]));
  assert.equal(baku.colorAt(51.5, 40), SEA, "the Caspian Sea");
  assert.equal(baku.colorAt(47, 40.5), LAND, "Azerbaijan");
});

test("an area across the antimeridian is marked once, between islands of both sides", async (t) => {
  if (!popplerInstalled) {
    t.skip("poppler is not installed");
    return;
  }
  const parts = [boxArea([179.9, -16.9, 180, -16.8]), boxArea([-180, -16.9, -179.9, -16.8])];
  const fiji = await overviewOf({ type: "MultiPolygon", coordinates: parts.flatMap(({ coordinates }) => coordinates) });
  assert.equal(fiji.colorAt(178, -17.8), LAND, "Viti Levu");
  assert.equal(fiji.colorAt(179.3, -16.6), LAND, "Vanua Levu");
  assert.equal(fiji.colorAt(177, -18.7), SEA);
  assert.equal(fiji.colorAt(183.5, -15.3), SEA);
  // Two circles of 9 points and two outlines of 6 by 7; a second mark elsewhere would double them.
  assert.ok(fiji.count(MARK) > 60 && fiji.count(MARK) < 260, `${fiji.count(MARK)} pixels`);
});

test("titles are the long names of map types, not their identifiers", async (t) => {
  if (!popplerInstalled) {
    t.skip("poppler is not installed");
    return;
  }
  const area = boxArea([14.4, 50.05, 14.5, 50.1]);
  const text = pdfText(await reportOf(reported("ndvi", area), reported("wrunc", area)));
  assert.match(text, /Normalized Difference Vegetation Index, Land cover in five classes/);
  assert.doesNotMatch(text, /^\s*(ndvi|wrunc)\s*$/m);
  for (const { id, longName } of mapTypes.all) {
    assert.match(longName, /^\S.{2,}\S$/, id);
    assert.doesNotMatch(longName, /\.$/, id);
  }
});

test("a chart has two axes with marks, and its numbers are attached as CSV", async (t) => {
  if (!popplerInstalled) {
    t.skip("poppler is not installed");
    return;
  }
  const area = boxArea([14.4, 50.05, 14.5, 50.1]);
  const on = (datetime: string, mean: number): ReportedMap =>
    reported("ndvi", area, { datetime, metadata: { statistics: { mean } } });
  const maps = [on("2024-05-01 10:00:00", 0.25), on("2024-05-02 10:00:00", -0.125), on("2024-08-01 10:00:00", 0.75)];
  const body = await reportOf(...maps);
  assert.deepEqual(
    [...pdfAttachments(body)],
    [
      [
        "ndvi.csv",
        "date,mean\r\n2024-05-01 10:00:00,0.25\r\n2024-05-02 10:00:00,-0.125\r\n2024-08-01 10:00:00,0.75\r\n",
      ],
    ],
  );
  const text = pdfText(body);
  assert.match(text, /Normalized Difference Vegetation Index over time/);
  assert.match(text, /mean, by date \(UTC\)/);
  assert.match(text, /2024-05-01.*2024-08-01/);
  // The page of the chart is the last but one: attributions follow.
  const page = drawPdfPage(body, 5);
  const ink = (x: number, y: number): boolean => page.colorAt(x, y) === "#1c2530";
  const columns = Array.from({ length: page.widthPx }, (_, x) => x);
  const rows = Array.from({ length: page.heightPx }, (_, y) => y);
  const upright = columns.find((x) => rows.filter((y) => ink(x, y)).length > 200);
  const level = rows.find((y) => columns.filter((x) => ink(x, y)).length > 400);
  assert.ok(upright !== undefined && level !== undefined, "two axes");
  const marks = rows.filter((y) => y < level && ink(upright - 2, y)).length;
  assert.ok(marks >= 4 && marks <= 30, `${marks} marks beside the upright axis`);
});
