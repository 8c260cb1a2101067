import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { multiPolygonAreaKm2 } from "@swath/kernel/geometry/area";
import { ecefOf } from "@swath/kernel/orbits/geodetic";
import { orbitThrough } from "@swath/kernel/orbits/hermite-orbit";
import { perpendicularBaseline } from "@swath/kernel/orbits/perpendicular-baseline";
import { zeroDoppler } from "@swath/kernel/orbits/zero-doppler";
import yazl from "yazl";
import { RasterError } from "../raster-error.ts";
import { sampleData } from "@swath/base/sample-data";
import { parseAnnotationTime, readSentinel1Annotation, relativeOrbitOf } from "./sentinel1-annotation.ts";
import { DEFAULT_ARCHIVE_LIMITS } from "../archive/zip-directory.ts";
import { readSentinel1Archive } from "./sentinel1-archive.ts";
import { readSentinel1Manifest } from "./sentinel1-manifest.ts";
import { readSentinel1Product } from "./sentinel1-product.ts";
import { child, children, number, parseXml, text } from "./sentinel1-xml.ts";

const REFERENCE = "S1A_IW_SLC__1SDV_20250406T022008_20250406T022035_058630_07421F_93A7";
const SECONDARY = "S1A_IW_SLC__1SDV_20250418T022008_20250418T022035_058805_074946_C7D4";

interface Product {
  readonly manifest: string;
  readonly annotation: string;
  readonly name: string;
}

async function product(name: string): Promise<Product | null> {
  const folder = sampleData("sar_slc", `${name}.SAFE`);
  if (folder === null) return null;
  const [file = ""] = await readdir(join(folder, "annotation"));
  return {
    manifest: await readFile(join(folder, "manifest.safe"), "utf8"),
    annotation: await readFile(join(folder, "annotation", file), "utf8"),
    name: file,
  };
}

function refused(pattern: RegExp) {
  return (error: unknown): boolean =>
    error instanceof RasterError && error.reason === "bad-document" && pattern.test(error.message);
}

test("times keep their microseconds and absolute orbits tell the track", () => {
  assert.equal(parseAnnotationTime("2025-04-06T02:19:03.324203"), Date.UTC(2025, 3, 6, 2, 19, 3) + 324.203);
  assert.equal(parseAnnotationTime("2025-04-06 02:19:03"), null);
  assert.equal(parseAnnotationTime(null), null);
  assert.equal(relativeOrbitOf("S1A", 58_630), 108);
  assert.equal(relativeOrbitOf("S1B", 24_970), 94);
  assert.equal(relativeOrbitOf("S9Z", 1), null);
});

test("XML is read without entities, namespaces and document types", () => {
  const root = parseXml(`<a:x xmlns:a="u"><y k="1">2</y><y>3 &amp; 4</y><z/></a:x>`, "f");
  const x = child(root, "x");
  assert.equal(text(x, "y"), "2");
  assert.equal(number(x, "y"), 2);
  assert.equal(children(x, "z").length, 0);
  assert.equal(number(x, "nothing"), null);
  for (const bad of [`<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>`, "<x><y></x>", "", "no xml"]) {
    assert.throws(() => parseXml(bad, "f"), refused(/^f: /), bad);
  }
});

test("an annotation that lacks what it must have is refused by name", () => {
  assert.throws(() => readSentinel1Annotation("<product/>", "a.xml"), refused(/^a\.xml: has no missionId/));
  assert.throws(() => readSentinel1Product(null, null, []), refused(/no annotation/));
});

test("manifest and annotation of a real product agree on orbit, pass, slice, time and place", async (t) => {
  const files = await product(REFERENCE);
  if (files === null) return t.skip("sample data absent");
  const manifest = readSentinel1Manifest(files.manifest, "manifest.safe");
  assert.deepEqual(manifest, {
    satellite: "Sentinel-1A",
    mode: "IW",
    startMs: Date.UTC(2025, 3, 6, 2, 20, 8) + 592.193,
    orbitPass: "ascending",
    relativeOrbitStart: 108,
    relativeOrbitStop: 108,
    sliceNumber: 12,
  });
  const annotation = readSentinel1Annotation(files.annotation, files.name);
  assert.deepEqual(
    [annotation.mission, annotation.productType, annotation.swath, annotation.polarisation, annotation.relativeOrbit],
    ["S1A", "SLC", "IW2", "VV", 108],
  );
  assert.equal(annotation.sliceNumber, 12);
  assert.equal(annotation.stateVectors.length, 17);
  assert.deepEqual(annotation.stateVectors[0], {
    timeMs: Date.UTC(2025, 3, 6, 2, 19, 3) + 324.203,
    positionM: [-3_339_803.610018, -3_573_219.324351, 5_103_830.197791],
    velocityMs: [2238.675067, 5179.394761, 5078.243049],
  });
  assert.equal(annotation.grid.length, 210);

  const { metadata, footprint, bands } = readSentinel1Product(
    REFERENCE,
    { name: "manifest.safe", text: files.manifest },
    [{ name: files.name, text: files.annotation }],
  );
  assert.equal(metadata.datetime, "2025-04-06 02:20:08");
  assert.deepEqual([metadata.foreignId, metadata.lookSide, metadata.mode], [REFERENCE, "right", "IW"]);
  assert.deepEqual(bands[0]?.names, ["VV", "vv"]);
  const area = multiPolygonAreaKm2(footprint.coordinates);
  // One of three swaths of a scene of 250 x 170 km.
  assert.ok(area > 12_000 && area < 18_000, String(area));
  const alone = readSentinel1Product(null, null, [{ name: files.name, text: files.annotation }]);
  assert.deepEqual(
    { ...alone.metadata, foreignId: REFERENCE, datetime: metadata.datetime, relativeOrbitNumberStop: 108 },
    metadata,
  );
});

test("slant range and azimuth time of every point of a real geolocation grid are met", async (t) => {
  const files = await product(REFERENCE);
  if (files === null) return t.skip("sample data absent");
  const orbit = orbitThrough(readSentinel1Annotation(files.annotation, files.name).stateVectors);
  assert.ok(orbit !== null);
  const grid = child(parseXml(files.annotation, "a"), "product", "geolocationGrid", "geolocationGridPointList");
  const points = children(grid, "geolocationGridPoint");
  for (const point of points) {
    const target = ecefOf(
      number(point, "longitude") ?? 0,
      number(point, "latitude") ?? 0,
      number(point, "height") ?? 0,
    );
    const found = zeroDoppler(orbit, target);
    assert.ok(found !== null);
    const rangeM = Math.hypot(...target.map((value, axis) => value - (found.positionM[axis] ?? 0)));
    const statedM = ((number(point, "slantRangeTime") ?? 0) * 299_792_458) / 2;
    assert.ok(Math.abs(rangeM - statedM) < 0.01, `${rangeM} ${statedM}`);
    const statedMs: number = (parseAnnotationTime(text(point, "azimuthTime")) ?? 0) - orbit.fromMs;
    assert.ok(Math.abs(found.afterMs - statedMs) < 1, `${found.afterMs} ${statedMs}`);
  }
});

test("the baseline of a real pair is what ISCE2 computes for it, to half a metre and with the other sign", async (t) => {
  const [a, b] = [await product(REFERENCE), await product(SECONDARY)];
  const log = sampleData("sar_slc", "topsProc_20250406_20250418.xml");
  if (a === null || b === null || log === null) return t.skip("sample data absent");
  const stated = child(parseXml(await readFile(log, "utf8"), "log"), "topsProc", "baseline");
  const annotations = [a, b].map(({ annotation, name }) => readSentinel1Annotation(annotation, name));
  const [reference, secondary] = annotations.map(({ stateVectors }) => orbitThrough(stateVectors));
  assert.ok(reference !== undefined && reference !== null && secondary !== undefined && secondary !== null);
  const grid = annotations[0]?.grid ?? [];
  const columns = 21;
  // First and last line of the grid at mid range: within a burst of where the log's values are defined.
  for (const [index, which] of [
    [Math.floor(columns / 2), "first"],
    [grid.length - Math.ceil(columns / 2), "last"],
  ] as const) {
    const point = grid[index];
    assert.ok(point !== undefined);
    const baseline = perpendicularBaseline(reference, secondary, ecefOf(point.lonDeg, point.latDeg));
    const perpendicularM = number(stated, `IW-2_Bperp_at_midrange_for_${which}_common_burst`) ?? Number.NaN;
    const parallelM = number(stated, `IW-2_Bpar_at_midrange_for_${which}_common_burst`) ?? Number.NaN;
    assert.ok(baseline !== null);
    assert.ok(Math.abs(baseline.perpendicularM + perpendicularM) < 0.5, `${baseline.perpendicularM} ${perpendicularM}`);
    assert.ok(Math.abs(baseline.parallelM - parallelM) < 0.5, `${baseline.parallelM} ${parallelM}`);
  }
});

async function withZip(files: Readonly<Record<string, string>>, work: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "sentinel1-"));
  try {
    const zip = new yazl.ZipFile();
    for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
    zip.end();
    const path = join(folder, "upload.zip");
    await writeFile(path, await buffer(zip.outputStream));
    await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const signal = new AbortController().signal;

test("archives without annotations of an SLC product, and files that are no zip, are left to others", async () => {
  await withZip({ "a.tif": "x", "annotation/s1a-iw-grd-vv-1.xml": "<x/>", "manifest.safe": "<x/>" }, async (path) => {
    assert.equal(await readSentinel1Archive(path, signal), null);
    await writeFile(path, "no zip");
    assert.equal(await readSentinel1Archive(path, signal), null);
  });
});

test("damaged, oversized and foreign documents of an archive are refused", async () => {
  const name = "P.SAFE/annotation/s1a-iw2-slc-vv-1.xml";
  await withZip({ [name]: "<product>" }, (path) =>
    assert.rejects(readSentinel1Archive(path, signal), refused(/s1a-iw2-slc-vv-1\.xml/)),
  );
  await withZip({ [name]: "<product/>".padEnd(2000) }, (path) =>
    assert.rejects(
      readSentinel1Archive(path, signal, {
        ...DEFAULT_ARCHIVE_LIMITS,
        maxDocumentBytes: 1000,
      }),
      refused(/more than 1000 bytes/),
    ),
  );
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`annotation/s1a-iw1-slc-vv-${i}.xml`, "<product/>"]),
  );
  await withZip(many, (path) => assert.rejects(readSentinel1Archive(path, signal), refused(/at most 32/)));
});

test("a zipped SAFE folder is read without its measurements", async (t) => {
  const files = await product(REFERENCE);
  if (files === null) return t.skip("sample data absent");
  const folder = `${REFERENCE}.SAFE`;
  const entries = {
    [`${folder}/measurement/s1a-iw2-slc-vv.tiff`]: "pixels that nobody reads",
    [`${folder}/manifest.safe`]: files.manifest,
    [`${folder}/annotation/${files.name}`]: files.annotation,
    [`${folder}/annotation/calibration/noise-${files.name}`]: "<noise/>",
  };
  await withZip(entries, async (path) => {
    const read = await readSentinel1Archive(path, signal);
    assert.equal(read?.metadata.foreignId, REFERENCE);
    assert.equal(read.metadata.relativeOrbitNumberStart, 108);
    assert.equal(read.stateVectors.length, 17);
  });
});
