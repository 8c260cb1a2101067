import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { PMTiles } from "pmtiles";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { gdalInstalled, runGdal, temporaryFolder } from "@swath/raster/tiff/gdal-testing";
import { ingestCoast } from "./main-job.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const SIDE_PX = 224;
const PIXEL_M = 10;
/** Almost all of the scene, at the equator, where pixels of Web Mercator have their size on the ground. */
const AREA = boundsPolygon([15.0005, 0.8855, 15.0195, 0.9035]);
const WIDTH_M = ((15.0195 - 15.0005) / 360) * 2 * Math.PI * 6_378_137;
const KINDS = ["png", "webp", "geotiff", "visu-geotiff", "ski"] as const;

let service: ServiceProcess;
let demo: RawClient;
let maps: readonly {
  readonly mapType: string;
  readonly mapId: string;
  readonly tiles: readonly (readonly number[])[];
}[];

before(async () => {
  service = await ServiceProcess.start();
  demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneIds: string[] = [];
  for (const [i, name] of ["coast_2024-03-01", "coast_2024-04-01"].entries()) {
    const value = (band: number, column: number, row: number): number =>
      500 + band * 300 + ((column * (7 + i) + row * 13) % 97) + (column > 100 + 20 * i ? 900 : 0);
    sceneIds.push(await ingestCoast(demo, coastGeotiff({ widthPx: SIDE_PX, heightPx: SIDE_PX, value }), name));
  }
  const paid = await demo.post("/credits/area/allocate-geojson", { sceneIds, geojson: AREA });
  assert.equal(paid.status, 200, JSON.stringify(paid.body));
  const single = await demo.run("/mapsvc/release", {
    mapTypes: ["imagery", "ndvi"],
    sceneIds: sceneIds.slice(0, 1),
    extent: AREA,
  });
  const pair = await demo.run("/mapsvc/release", { mapTypes: ["change"], sceneIds, extent: AREA });
  for (const { status, body } of [single, pair]) assert.equal(status, 200, JSON.stringify(body));
  maps = [...single.body.maps, ...pair.body.maps];
});
after(async () => await service[Symbol.asyncDispose]());

test("a scene of 224 pixels and a pair of two export at the deepest zoom that is not finer than the scene", async () => {
  assert.deepEqual(maps.map(({ mapType }) => mapType).toSorted(), ["change", "imagery", "ndvi"]);
  for (const { mapId, mapType } of maps) {
    for (const gridFile of KINDS) {
      const { status, body } = await demo.run("/mapsvc/export", { mapId, gridFile, grid: "web" });
      const what = `${gridFile} of ${mapType}: ${JSON.stringify(body)}`;
      assert.equal(status, 200, what);
      assert.ok(body.widthPx <= SIDE_PX && body.heightPx <= SIDE_PX, what);
      // Each zoom halves the pixels. The bounds are rounded to whole pixels, at most two in about a hundred.
      const pixelM = WIDTH_M / body.widthPx;
      assert.ok(pixelM > 0.97 * PIXEL_M && pixelM < 2 * PIXEL_M, `${pixelM} m, ${what}`);
    }
  }
});

test("without grid and zoom every kind of file of a single scene and of a pair is made", async () => {
  for (const { mapId, mapType } of maps) {
    for (const gridFile of KINDS) {
      const { status, body } = await demo.run("/mapsvc/export", { mapId, gridFile });
      const what = `${gridFile} of ${mapType}: ${JSON.stringify(body)}`;
      assert.equal(status, 200, what);
      assert.ok(body.widthPx * body.heightPx <= SIDE_PX * SIDE_PX, what);
      const file = await fetch(body.url);
      assert.equal((await file.arrayBuffer()).byteLength, body.size, what);
    }
  }
});

async function exported(
  mapType: string,
  gridFile: string,
): Promise<{ readonly body: { readonly url: string; readonly zoom: number }; readonly bytes: Uint8Array }> {
  const { mapId } = maps.find((map) => map.mapType === mapType)!;
  const { status, body } = await demo.run("/mapsvc/export", { mapId, gridFile });
  assert.equal(status, 200, JSON.stringify(body));
  return { body, bytes: new Uint8Array(await (await fetch(body.url)).arrayBuffer()) };
}

test("PMTiles hold the tiles of the map at every zoom, and a reader finds them by ranges of bytes", async () => {
  const { mapId } = maps.find(({ mapType }) => mapType === "imagery")!;
  const { body } = await exported("imagery", "pmtiles");
  const archive = new PMTiles(body.url);
  const header = await archive.getHeader();
  assert.equal(header.maxZoom, body.zoom);
  assert.ok(header.minZoom < 8 && header.minLon >= 15 && header.maxLat <= 0.9036);
  const metadata = (await archive.getMetadata()) as Record<string, unknown>;
  assert.match(String(metadata["name"]), /2024-03-01$/);
  const [[z, x, y]] = maps[0]!.tiles as readonly [readonly [number, number, number]];
  for (let down = header.maxZoom - z; down >= 0; down--) {
    const [zoom, column, row] = [z + down, x * 2 ** down, y * 2 ** down];
    const tile = await fetch(`${service.baseUrl}/mapsvc/grid/${mapId}/-/${zoom}/${column}/${row}/truecolor.webp`);
    const found = await archive.getZxy(zoom, column, row);
    if (tile.status !== 200) assert.equal(found, undefined, `${zoom}/${column}/${row}: ${tile.status}`);
    else assert.deepEqual(new Uint8Array(found!.data), new Uint8Array(await tile.arrayBuffer()));
  }
});

test("GeoParquet and GeoPackage hold the features of the GeoJSON file, the GeoPackage also the picture", async (t) => {
  const geojson = await exported("change", "geojson");
  const { features } = JSON.parse(new TextDecoder().decode(geojson.bytes)) as {
    readonly features: readonly {
      readonly geometry: object;
      readonly properties: { readonly class: string; readonly area: number };
    }[];
  };
  const classes = features.map(({ properties }) => properties.class);
  assert.ok(classes.length > 0);

  const { bytes } = await exported("change", "geoparquet");
  const rows = await parquetReadObjects({ file: bytes.buffer as ArrayBuffer });
  assert.deepEqual(
    rows.map((row) => [row["class"], row["area"], row["geometry"]]),
    features.map(({ properties, geometry }) => [properties.class, properties.area, geometry]),
  );
  const { key_value_metadata: pairs = [] } = parquetMetadata(bytes.buffer as ArrayBuffer);
  const geo = JSON.parse(pairs.find(({ key }) => key === "geo")!.value!);
  assert.deepEqual([geo.version, geo.columns.geometry.encoding], ["1.1.0", "WKB"]);

  if (!gdalInstalled) {
    t.diagnostic("GDAL is not installed: the GeoPackage is not read");
    return;
  }
  using folder = temporaryFolder();
  const path = join(folder.path, "change.gpkg");
  const gpkg = await exported("change", "gpkg");
  writeFileSync(path, gpkg.bytes);
  const layer = runGdal("ogrinfo", ["-al", "-geom=SUMMARY", path, "features"]);
  assert.match(layer, /Geometry: Multi Polygon/);
  assert.match(layer, new RegExp(`Feature Count: ${classes.length}\\n`));
  assert.deepEqual(
    [...layer.matchAll(/ {2}class \(String\) = (.*)/g)].map(([, name]) => name),
    classes,
  );
  const info = JSON.parse(runGdal("gdalinfo", ["-json", "-stats", path]));
  assert.match(info.coordinateSystem.wkt, /"EPSG",3857/);
  const [left, pixelM] = info.geoTransform;
  assert.ok(Math.abs(pixelM - (2 * Math.PI * 6_378_137) / 2 ** gpkg.body.zoom / 512) < 1e-6);
  assert.ok(Math.abs(left - (15.0005 / 180) * Math.PI * 6_378_137) < pixelM);
  assert.ok(info.bands[3].maximum === 255, JSON.stringify(info.bands));
});

test("a zip without a zoom has the coarsest tiles of the map where the scene is coarser than they are", async () => {
  for (const { mapId, mapType, tiles } of maps) {
    const { status, body } = await demo.run("/mapsvc/export", { mapId, gridFile: "zip" });
    assert.equal(status, 200, `${mapType}: ${JSON.stringify(body)}`);
    const picture = await demo.run("/mapsvc/export", { mapId, gridFile: "png", grid: "web" });
    const coarsest = Math.min(...tiles.map(([zoom]) => zoom!));
    assert.equal(body.zoom, Math.max(coarsest, picture.body.zoom), mapType);
  }
});
