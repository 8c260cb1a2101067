import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createProjection } from "../packages/kernel/src/crs/projection.ts";
import { COAST_AREA, ingestCoast } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

/** `coastGeotiff`: its corner, and its pixels of 10 m in UTM 33N. */
const ORIGIN = [500_000, 100_000] as const;
const PIXEL_M = 10;
const utm = createProjection("+proj=utm +zone=33 +datum=WGS84 +units=m");

type Point = readonly [column: number, row: number];

function lonLat([column, row]: Point): readonly [number, number] {
  return utm.inverse(ORIGIN[0] + column * PIXEL_M, ORIGIN[1] - row * PIXEL_M);
}

function polygon(...rings: readonly (readonly Point[])[]): object {
  return { type: "Polygon", coordinates: rings.map((ring) => [...ring, ring[0]!].map(lonLat)) };
}

function box(left: number, top: number, right: number, bottom: number): readonly Point[] {
  return [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
  ];
}

/** NDVI of a pixel of vegetation: both bands have the same texture. */
function ndvi(column: number, row: number): number {
  const texture = (column * 7 + row * 13) % 31;
  return 3000 / (4000 + 2 * texture);
}

/** Weighted figures of the pixels of a box. */
function expected(
  left: number,
  top: number,
  right: number,
  bottom: number,
): { count: number; mean: number; std: number } {
  const pixels: { weight: number; value: number }[] = [];
  for (let row = Math.floor(top); row < bottom; row++) {
    for (let column = Math.floor(left); column < right; column++) {
      const width = Math.min(column + 1, right) - Math.max(column, left);
      const height = Math.min(row + 1, bottom) - Math.max(row, top);
      pixels.push({ weight: width * height, value: ndvi(column, row) });
    }
  }
  const count = pixels.reduce((sum, { weight }) => sum + weight, 0);
  const mean = pixels.reduce((sum, { weight, value }) => sum + weight * value, 0) / count;
  const variance = pixels.reduce((sum, { weight, value }) => sum + weight * (value - mean) ** 2, 0) / count;
  return { count, mean, std: Math.sqrt(variance) };
}

/** Positions of requests have seven decimals: a thousandth of a pixel. */
function near(actual: number, wanted: number, tolerance = 2e-3): void {
  assert.ok(Math.abs(actual - wanted) <= tolerance * Math.abs(wanted), `${actual}, expected ${wanted}`);
}

const feature = (geometry: object, id?: string): object => ({
  type: "Feature",
  ...(id === undefined ? {} : { id }),
  properties: {},
  geometry,
});
const collection = (...features: readonly object[]): object => ({ type: "FeatureCollection", features });

describe("statistics of areas", () => {
  let service: ServiceProcess;
  let demo: RawClient;
  let sceneId: string;
  const fields = collection(
    feature(polygon(box(120.5, 30, 140, 50.25)), "north"),
    feature(polygon(box(110, 100, 130, 120), box(115, 105, 125, 115).toReversed())),
    feature(polygon(box(200.25, 200.25, 200.75, 200.5)), "inside a pixel"),
  );

  const statistics = (request: object): ReturnType<RawClient["run"]> => demo.run("/mapsvc/statistics", request);
  const refused = async (request: object): Promise<readonly unknown[]> => {
    const { status, body } = await demo.post("/mapsvc/statistics/initiate", request);
    return [status, body.error, body.errorMessage ?? body.message];
  };

  before(async () => {
    service = await ServiceProcess.start();
    demo = await new RawClient(service.baseUrl).login(DEMO);
    sceneId = await ingestCoast(demo);
  });
  after(async () => service[Symbol.asyncDispose]());

  test("an area that is not paid for is refused", async () => {
    const [status, error] = await refused({ areas: fields, mapTypes: ["ndvi"], sceneIds: [sceneId] });
    assert.deepEqual([status, error], [402, "CREDITS-ERROR"]);
    const allocated = await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
    assert.equal(allocated.status, 200, JSON.stringify(allocated.body));
  });

  test("a row for each area has the figures of its pixels, weighted by their share inside", async () => {
    const request = { areas: fields, mapTypes: ["ndvi"], sceneIds: [sceneId], cloudFree: false, percentiles: [50, 0] };
    const { status, body } = await statistics(request);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.counts, { areas: 3, maps: 1, rows: 3 });
    assert.equal(body.isComplete, true);
    const [north, ringed, small] = body.rows;
    assert.deepEqual([north.area, ringed.area, small.area], ["north", "1", "inside a pixel"]);
    const figures = expected(120.5, 30, 140, 50.25);
    near(north.count, figures.count);
    near(north.mean, figures.mean, 1e-5);
    near(north.std, figures.std);
    near(north.validShare, 1);
    assert.equal(north.clearShare, null);
    assert.deepEqual(Object.keys(north.percentiles), ["p0", "p50"]);
    near(north.percentiles.p0, north.min, 1e-12);
    near(ringed.count, 300);
    near(small.count, 0.125, 0.01);
    near(small.mean, ndvi(200, 200), 1e-6);
    assert.equal(small.min, small.max);
  });

  test("the file has every row, as CSV or JSON, at an address that anybody may read", async () => {
    const request = {
      areas: fields,
      mapTypes: ["ndvi"],
      sceneIds: [sceneId],
      histogram: { low: 0.7, high: 0.8, bins: 2 },
    };
    const csv = await statistics(request);
    assert.equal(csv.status, 200, JSON.stringify(csv.body));
    const table = await fetch(csv.body.url);
    assert.equal(table.headers.get("content-type"), "text/csv");
    const [header = "", ...lines] = (await table.text()).trim().split("\r\n");
    assert.ok(header.startsWith("area,datetime,sceneId,mapType,layer,count,"), header);
    assert.ok(header.endsWith(",bin1,bin2"), header);
    const cell = (line: string, name: string): string => line.split(",")[header.split(",").indexOf(name)] ?? "";
    assert.deepEqual(
      lines.map((line) => [cell(line, "area"), Number(cell(line, "mean"))]),
      csv.body.rows.map(({ area, mean }: { area: string; mean: number }) => [area, mean]),
    );
    assert.equal((await fetch(csv.body.url.replace(/signature=...../, "signature=xxxxx"))).status, 401);
    const json = await statistics({ ...request, format: "json" });
    assert.deepEqual(await (await fetch(json.body.url)).json(), json.body.rows);
    const [{ histogram, count, clearShare }] = json.body.rows;
    near(histogram[0] + histogram[1], count);
    assert.ok(clearShare > 0 && clearShare <= 1, `${clearShare}`);
  });

  test("classes have their ground in km2, and pixels under clouds are left out", async () => {
    const area = polygon(box(110, 20, 150, 60));
    const { status, body } = await statistics({ areas: area, mapTypes: ["clouds", "ndvi"], sceneIds: [sceneId] });
    assert.equal(status, 200, JSON.stringify(body));
    const byType = new Map(body.rows.map((row: { mapType: string }) => [row.mapType, row]));
    // oxlint-disable-next-line typescript/no-explicit-any -- as the client
    const [sky, index]: any[] = [byType.get("clouds"), byType.get("ndvi")];
    assert.deepEqual(Object.keys(sky.classes), ["clouds", "thin-clouds", "shadow", "snow"]);
    const covered = Object.values<{ areaKm2: number }>(sky.classes).reduce((sum, { areaKm2 }) => sum + areaKm2, 0);
    assert.ok(covered <= 0.16 + 1e-6, `${covered} km2 of 0.16`);
    near(index.clearShare, 1 - covered / 0.16, 0.02);
    near(index.count, 1600 * index.clearShare, 0.01);
  });

  test("the map of clouds that masks others is among the records of inputs, whether it is counted or not", async () => {
    const request = { areas: polygon(box(110, 20, 150, 60)), sceneIds: [sceneId] };
    const recordsOf = async (more: object): Promise<unknown> => {
      const { status, body } = await statistics({ ...request, ...more });
      assert.equal(status, 200, JSON.stringify(body));
      assert.ok(body.provenance.every(({ provenanceId }: { provenanceId: string }) => provenanceId.length === 32));
      return body.provenance.map(({ mapType }: { mapType: string }) => mapType).toSorted();
    };
    assert.deepEqual(await recordsOf({ mapTypes: ["clouds", "ndvi"] }), ["clouds", "ndvi"]);
    assert.deepEqual(await recordsOf({ mapTypes: ["ndvi"] }), ["clouds", "ndvi"]);
    assert.deepEqual(await recordsOf({ mapTypes: ["ndvi"], cloudFree: false }), ["ndvi"]);
  });

  test("datapoints name the map of clouds that their figures were masked with", async () => {
    await demo.post("/datacube/project/create-or-update", { project: "masked" });
    await demo.post("/datacube/aois/create-or-update", {
      project: "masked",
      aois: [{ aoiId: "field", geometry: polygon(box(110, 20, 150, 60)) }],
    });
    const areas = collection(feature(polygon(box(110, 20, 150, 60)), "field"));
    const { status, body } = await statistics({ areas, mapTypes: ["ndvi"], sceneIds: [sceneId], project: "masked" });
    assert.equal(status, 200, JSON.stringify(body));
    const read = await demo.post("/datacube/datapoints/get", { project: "masked", includeProvenance: true });
    const [{ provenance }] = read.body.results;
    const recorded = body.provenance.find(({ mapType }: { mapType: string }) => mapType === "clouds");
    assert.equal(provenance.clouds.mapType, "clouds");
    assert.equal(provenance.clouds.provenanceId, recorded.provenanceId);
  });

  test("a resolution reads the coarser pixels of overviews", async () => {
    const request = {
      areas: polygon(box(120, 40, 160, 80)),
      mapTypes: ["ndvi"],
      sceneIds: [sceneId],
      cloudFree: false,
    };
    const fine = await statistics(request);
    const coarse = await statistics({ ...request, resolution: 39.9 });
    near(fine.body.rows[0].count, 1600);
    near(coarse.body.rows[0].count, 400);
    near(coarse.body.rows[0].mean, fine.body.rows[0].mean, 5e-3);
    assert.ok(coarse.body.rows[0].std < fine.body.rows[0].std, "averages vary less");
  });

  test("an own formula is counted as an index is", async () => {
    const mapTypes = ["ndvi", "expression:(N-R)/(N+R)"];
    const { status, body } = await statistics({ areas: fields, mapTypes, sceneIds: [sceneId] });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.counts, { areas: 3, maps: 2, rows: 6 });
    for (const [i, { mean }] of body.rows.slice(3).entries()) near(mean, body.rows[i].mean, 1e-6);
  });

  test("existing maps are counted inside their area only", async () => {
    const extent = polygon(box(120, 40, 140, 60));
    const released = await demo.run("/mapsvc/release", { mapTypes: ["ndvi"], sceneIds: [sceneId], extent });
    assert.equal(released.status, 200, JSON.stringify(released.body));
    const mapIds = released.body.maps.map(({ mapId }: { mapId: string }) => mapId);
    const areas = collection(feature(polygon(box(130, 50, 180, 70))), feature(polygon(box(10, 10, 20, 20))));
    const { status, body } = await statistics({ areas, mapIds });
    assert.equal(status, 200, JSON.stringify(body));
    near(body.rows[0].count, 100);
    assert.deepEqual([body.rows[1].count, body.rows[1].mean, body.rows[1].validShare], [0, null, 0]);
    assert.deepEqual((await refused({ areas, mapIds: ["a.b.c"] })).slice(0, 2), [400, "INVALID-MAP-ID"]);
  });

  test("thousands of areas have a row each; the answer has the first thousand, the file all", async () => {
    const many = Array.from({ length: 3000 }, (_, i) => {
      const [column, row] = [10 + (i % 60) * 3.9, 12 + Math.floor(i / 60) * 4.5];
      return feature(polygon(box(column, row, column + 3.1, row + 3.7)));
    });
    const request = { areas: collection(...many), mapTypes: ["ndvi"], sceneIds: [sceneId], cloudFree: false };
    const { status, body } = await statistics(request);
    assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
    assert.deepEqual([body.counts.rows, body.rows.length, body.isComplete], [3000, 1000, false]);
    for (const { count } of body.rows) near(count, 3.1 * 3.7, 5e-3);
    const lines = (await (await fetch(body.url)).text()).trim().split("\r\n");
    assert.equal(lines.length, 3001);
  });

  test("too much work is refused with what was asked for and the limit", async () => {
    const one = feature(polygon(box(120, 40, 122, 42)));
    const ask = { mapTypes: ["ndvi"], sceneIds: [sceneId] };
    const features = (count: number): object => collection(...Array.from({ length: count }, () => one));
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ ...ask, areas: features(10_001) }, /has 10001 features, expected at most 10000/],
      [
        {
          ...ask,
          areas: features(9000),
          mapTypes: ["ndvi"],
          sceneIds: Array.from({ length: 12 }, (_, i) => `${sceneId}${i}`),
        },
        /108000 rows, expected at most 100000/,
      ],
      [
        { ...ask, areas: polygon(box(-4000, -4000, 4000, 4000)) },
        /\d{8} pixels of 10 m in the box.*expected at most 4000000/,
      ],
      [{ ...ask, areas: collection() }, /no feature, expected at least one/],
      [
        { ...ask, areas: feature({ type: "Point", coordinates: [15, 0.9] }) },
        /has a Point, expected a Polygon or MultiPolygon/,
      ],
      [{ areas: one }, /mapTypes is required unless mapIds is given/],
      [{ ...ask, areas: one, mapIds: ["a"] }, /mapIds excludes mapTypes and sceneIds/],
      [{ ...ask, areas: one, histogram: { low: 1, high: 1, bins: 3 } }, /is 1, expected more than 1/],
    ];
    for (const [request, wanted] of cases) {
      const [status, error, message] = await refused(request);
      assert.deepEqual([status, error], [422, "VALIDATION-ERROR"]);
      assert.match(String(message), wanted);
    }
  });
});
