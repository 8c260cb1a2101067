import assert from "node:assert/strict";
import { test } from "node:test";
import { encodePng } from "@swath/raster/encode/image";
import { pdfFonts, pdfInfo, pdfText, popplerInstalled } from "./poppler-testing.ts";
import type { ReportContent } from "./report-content.ts";
import { chooseScaleM, niceTicks } from "./scale.ts";
import { writeReport } from "./write-report.ts";

const picture = encodePng({ data: new Uint8Array(40 * 30 * 4).fill(200), widthPx: 40, heightPx: 30 });

async function content(): Promise<ReportContent> {
  return {
    title: "Fields near Čáslav",
    notes: ["The first paragraph.", "The second."],
    createdAt: "2026-03-04 05:06:07",
    overview: {
      bounds: [10, 45, 20, 52],
      land: [
        [
          [10, 45],
          [20, 45],
          [15, 52],
        ],
      ],
      areas: [
        [
          [15, 49],
          [15.1, 49],
          [15.1, 49.1],
        ],
      ],
    },
    maps: [
      {
        title: "wrunc",
        subtitle: "somewhere",
        description: "Land cover in five classes",
        base: new Uint8Array(await picture),
        picture: new Uint8Array(await picture),
        widthM: 8_000,
        legend: { kind: "classes", classes: [{ name: "water", color: [31, 120, 255] }] },
        statistics: [["water, km²", "1.2345"]],
      },
      {
        title: "ndvi",
        subtitle: "elsewhere",
        description: "Normalised difference",
        base: null,
        picture: null,
        widthM: 8_000,
        legend: {
          kind: "ramp",
          unit: "NDVI",
          ticks: [
            { at: 0, value: -1 },
            { at: 0.5, value: 0.125 },
            { at: 1, value: 1 },
          ],
          colors: [[0, 0, 0]],
        },
        statistics: [],
      },
    ],
    charts: [
      {
        name: "ndvi",
        title: "ndvi over time",
        unit: "mean",
        series: [
          {
            name: "mean",
            color: [0, 90, 0],
            points: [
              { date: "2024-05-01 10:00:00", value: 0.25 },
              { date: "2024-06-01 10:00:00", value: 0.5 },
            ],
          },
        ],
      },
    ],
    attributions: ["Copernicus Sentinel data 2024"],
  };
}

test("a report reads in another program: a page for the title, each map, the charts and the attributions", async (t) => {
  const { body, pages } = await writeReport(await content());
  assert.equal(pages, 5);
  if (!popplerInstalled) {
    t.skip("poppler is not installed");
    return;
  }
  const info = pdfInfo(body);
  assert.match(info, /^Pages: +5$/m);
  assert.match(info, /A4/);
  const words = pdfText(body);
  for (const wanted of [
    "Fields near Čáslav",
    "The second.",
    "Land cover in five classes",
    "0.125",
    "water, km²",
    "1.2345",
    "no valid pixel in the area",
    "1 km",
    "ndvi over time",
    "2024-06-01",
    "Copernicus Sentinel data 2024",
    "5/5",
  ]) {
    assert.ok(words.includes(wanted), `"${wanted}" in the text`);
  }
  const fonts = pdfFonts(body);
  assert.ok(fonts.length >= 2);
  for (const font of fonts) assert.match(font, /yes yes yes/, "embedded, a subset, with a map to Unicode");
});

test("the same content gives the same bytes", async () => {
  const [a, b] = [await writeReport(await content()), await writeReport(await content())];
  assert.ok(Buffer.from(a.body).equals(b.body));
});

test("scale bars are round and fit, ticks enclose the values", () => {
  assert.deepEqual([chooseScaleM(2_300), chooseScaleM(999), chooseScaleM(50), chooseScaleM(1.9)], [2000, 500, 50, 1]);
  assert.deepEqual(niceTicks(0.25, 0.5, 5), [0.25, 0.3, 0.35, 0.4, 0.45, 0.5]);
  assert.deepEqual(niceTicks(3, 3, 5), [3, 4]);
  assert.deepEqual(niceTicks(-7, 12, 4), [-10, -5, 0, 5, 10, 15]);
});
