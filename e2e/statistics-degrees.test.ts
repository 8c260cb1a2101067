import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { ingestCoast } from "./main-job.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

/** Half as wide as high on the ground: a pixel that counted as a square would have twice its area. */
const ORIGIN = [15, 60] as const;
const PIXEL_DEG = 1e-4;
const SIZE_PX = 256;
/** Columns of `coastGeotiff` west of the land. */
const WATER_COLUMNS = 100;

const SEMI_MAJOR_KM = 6378.137;
const FLATTENING = 1 / 298.257223563;
const ECCENTRICITY = Math.sqrt(FLATTENING * (2 - FLATTENING));
const RADIANS = Math.PI / 180;

/** Ground between the equator and a parallel over a radian of longitude, km2: Snyder 1987, equation 3-12. */
function zoneKm2(latitudeDeg: number): number {
  const sine = Math.sin(latitudeDeg * RADIANS);
  const e = ECCENTRICITY;
  const q = sine / (1 - (e * sine) ** 2) + Math.atanh(e * sine) / e;
  return (SEMI_MAJOR_KM ** 2 * (1 - e ** 2) * q) / 2;
}

/** A box of columns and rows of the scene. */
type Box = readonly [left: number, top: number, right: number, bottom: number];

const degreesOf = ([left, top, right, bottom]: Box) => ({
  west: ORIGIN[0] + left * PIXEL_DEG,
  east: ORIGIN[0] + right * PIXEL_DEG,
  north: ORIGIN[1] - top * PIXEL_DEG,
  south: ORIGIN[1] - bottom * PIXEL_DEG,
});

function groundKm2(box: Box): number {
  const { west, east, north, south } = degreesOf(box);
  return (east - west) * RADIANS * (zoneKm2(north) - zoneKm2(south));
}

function polygon(box: Box): object {
  const { west, east, north, south } = degreesOf(box);
  const ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]; // prettier-ignore
  return { type: "Polygon", coordinates: [ring] };
}

const collection = (boxes: readonly Box[]): object => ({
  type: "FeatureCollection",
  features: boxes.map((box) => ({ type: "Feature", properties: {}, geometry: polygon(box) })),
});

/** NDVI of land, weighted by the shares of pixels in a box. */
function meanNdvi([left, top, right, bottom]: Box): number {
  let [sum, weights] = [0, 0];
  for (let row = Math.floor(top); row < bottom; row++) {
    for (let column = Math.floor(left); column < right; column++) {
      const width = Math.min(column + 1, right) - Math.max(column, left);
      const height = Math.min(row + 1, bottom) - Math.max(row, top);
      const texture = (column * 7 + row * 13) % 31;
      sum += (width * height * 3000) / (4000 + 2 * texture);
      weights += width * height;
    }
  }
  return sum / weights;
}

function near(actual: number, wanted: number, relative: number): void {
  assert.ok(Math.abs(actual - wanted) <= relative * Math.abs(wanted), `${actual}, expected ${wanted}`);
}

suite("statistics of a scene in degrees", () => {
  let service: ServiceProcess;
  let demo: RawClient;
  let sceneId: string;

  before(async () => {
    service = await ServiceProcess.start();
    demo = await new RawClient(service.baseUrl).login(DEMO);
    const grid = { epsg: 4326, originX: ORIGIN[0], originY: ORIGIN[1], resolutionM: PIXEL_DEG };
    sceneId = await ingestCoast(demo, coastGeotiff(grid));
    const geojson = polygon([1, 1, SIZE_PX - 1, SIZE_PX - 1]);
    const paid = await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson });
    assert.equal(paid.status, 200, JSON.stringify(paid.body));
  });
  after(async () => await service[Symbol.asyncDispose]());

  // oxlint-disable-next-line typescript/no-explicit-any -- rows are read as any client reads them
  async function rowsOf(mapType: string, boxes: readonly Box[]): Promise<readonly any[]> {
    const request = { areas: collection(boxes), mapTypes: [mapType], sceneIds: [sceneId], cloudFree: false };
    const { status, body } = await demo.run("/mapsvc/statistics", request);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.counts.rows, body.failed], [boxes.length, []], JSON.stringify(body.failed));
    return body.rows;
  }

  test("pixels count by their share in the area", async () => {
    const boxes: readonly Box[] = [
      [120.5, 30, 140, 50.25],
      [110.25, 60.5, 200.75, 61.25],
      [150.25, 70.25, 150.75, 70.75],
    ];
    const rows = await rowsOf("ndvi", boxes);
    for (const [i, [left, top, right, bottom]] of boxes.entries()) {
      near(rows[i].count, (right - left) * (bottom - top), 2e-3);
      near(rows[i].mean, meanNdvi(boxes[i]!), 1e-4);
      near(rows[i].validShare, 1, 2e-3);
    }
  });

  test("classes have the ground of the ellipsoid", async () => {
    const whole: Box = [2, 2, SIZE_PX - 2, SIZE_PX - 2];
    const boxes: readonly Box[] = [[10, 10, 60.5, 40.25], [20, 200, 90, 240], [150, 50, 200, 100], whole];
    const classes = (await rowsOf("water", boxes)).map((row) => row.classes.water);
    for (const [i, box] of boxes.slice(0, 2).entries()) {
      near(classes[i].areaKm2, groundKm2(box), 1e-4);
      near(classes[i].share, 1, 1e-9);
    }
    assert.deepEqual(classes[2], { areaKm2: 0, share: 0 });
    near(classes[3].areaKm2, groundKm2([2, 2, WATER_COLUMNS, SIZE_PX - 2]), 1e-4);
  });
});
