import assert from "node:assert/strict";
import sharp from "sharp";
import { readByGdal } from "./gdal-wmts.ts";
import type { RawClient } from "./raw-client.ts";

interface ReleasedMap {
  readonly mapId: string;
  readonly maxZoom: number;
  readonly tiles: readonly (readonly [z: number, x: number, y: number])[];
}

interface Limits {
  readonly tileMatrix: string;
  readonly minTileRow: number;
  readonly maxTileRow: number;
  readonly minTileCol: number;
  readonly maxTileCol: number;
}

/** Reads a map as TileJSON, WMTS and OGC API Tiles: the same bytes everywhere, and no refusal within the limits. */
export async function tilesetsJourney(anonymous: RawClient, map: ReleasedMap): Promise<void> {
  const [z, x, y] = map.tiles[0]!;
  const grid = await bytesOf(anonymous, `/mapsvc/grid/${map.mapId}/-/${z}/${x}/${y}/ndvi.png`);
  await readTileJson(anonymous, map, grid);
  const limits = await readOgcTiles(anonymous, map, grid);
  await readOgcMap(anonymous, map, grid);
  await readWmts(anonymous, map, grid, limits);
  const isRead = await readByGdal(anonymous.baseUrl, { mapId: map.mapId, layer: "ndvi", limits });
  if (!isRead) process.stdout.write("GDAL is not installed: it does not read the WMTS\n");
  for (const path of ["tilejson.json", "wmts.xml", `tiles/${z}/${x}/${y}/ndvi.png`]) {
    assert.equal((await anonymous.get(`/mapsvc/map/${map.mapId}x/${path}`)).status, 400, path);
  }
  assert.equal((await anonymous.get(`/ogc/maps/${map.mapId}x`)).status, 400);
}

async function readTileJson(anonymous: RawClient, { mapId, maxZoom, tiles }: ReleasedMap, grid: Buffer): Promise<void> {
  const [z, x, y] = tiles[0]!;
  const tileJson = (await json(anonymous, `/mapsvc/map/${mapId}/tilejson.json`)) as Record<string, never>;
  const { attribution, bounds, maxzoom, minzoom, tileSize } = tileJson;
  assert.deepEqual([tileJson["tilejson"], tileSize, minzoom, maxzoom], ["3.0.0", 512, z, maxZoom]);
  assert.ok(String(attribution).length > 0);
  const [west, south, east, north] = bounds as unknown as readonly number[];
  assert.ok(west! < east! && south! < north! && west! >= -180 && east! <= 180);
  const [template] = tileJson["tiles"] as unknown as readonly string[];
  const address = (at: readonly number[]): string =>
    ["z", "x", "y"].reduce((text, name, index) => text.replace(`{${name}}`, String(at[index])), template ?? "");
  const inside = await anonymous.get(pathOf(address([z, x, y])));
  assert.deepEqual(Buffer.from(await inside.arrayBuffer()), grid);
  for (const outside of [
    [z, x + 5, y],
    [z - 1, x >> 1, y >> 1],
    [maxZoom + 1, 0, 0],
  ]) {
    assert.equal((await anonymous.get(pathOf(address(outside)))).status, 204, outside.join("/"));
  }
  const known = await anonymous.get(pathOf(address([z, x, y])), { "if-none-match": inside.headers.get("etag") ?? "" });
  assert.equal(known.status, 304);
  assert.equal((await anonymous.get(`/mapsvc/map/${mapId}/tilejson.json?file=area.json`)).status, 404);
  assert.equal((await anonymous.get(`/mapsvc/map/${mapId}/tiles/${z}/${x}/${y}/analysis.geotiff`)).status, 404);
}

async function readOgcTiles(anonymous: RawClient, { mapId, tiles }: ReleasedMap, grid: Buffer): Promise<Limits> {
  const [z, x, y] = tiles[0]!;
  const landing = await json(anonymous, `/ogc/maps/${mapId}`);
  const tilesets = landing.links.find(({ rel }: { rel: string }) => rel.endsWith("/tilesets-map"));
  const list = await answered(anonymous, tilesets.href);
  assert.equal(list.tilesets.length, 1);
  const tileset = await answered(anonymous, linkOf(list.tilesets[0], "self"));
  const template = linkOf(tileset, "item");
  const place = { tileMatrix: z, tileRow: y, tileCol: x };
  const address = Object.entries(place).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, String(value)),
    template,
  );
  assert.deepEqual(Buffer.from(await (await anonymous.get(pathOf(address))).arrayBuffer()), grid);
  const { tileMatrixSets } = await json(anonymous, "/ogc/tileMatrixSets");
  assert.ok(tileMatrixSets.some(({ id }: { readonly id: string }) => id === "WebMercatorQuad512"));
  const matrixSet = await answered(anonymous, tileset.tileMatrixSetURI);
  // Half of the well-known 559082264.0287178, which is of tiles of 256 pixels.
  assert.ok(Math.abs(matrixSet.tileMatrices[0].scaleDenominator / 279_541_132.014_358_9 - 1) < 1e-12);
  const { conformsTo } = await answered(anonymous, linkOf(landing, "/conformance"));
  assert.ok(conformsTo.includes("http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/core"));
  assert.equal((await anonymous.get(`/ogc/maps/${mapId}/map/tiles/WebMercatorQuad`)).status, 404);
  const limits: Limits = tileset.tileMatrixSetLimits[0];
  assert.deepEqual([limits.tileMatrix, limits.minTileRow <= y, limits.maxTileCol >= x], [String(z), true, true]);
  for (let row = limits.minTileRow; row <= limits.maxTileRow; row += 1) {
    for (let column = limits.minTileCol; column <= limits.maxTileCol; column += 1) {
      const tile = template.replace("{tileMatrix}", String(z)).replace("{tileRow}", String(row));
      const { status } = await anonymous.get(pathOf(tile.replace("{tileCol}", String(column))));
      assert.ok(status === 200 || status === 204, `${row}/${column}: ${status}`);
    }
  }
  return limits;
}

/** A box of a tile has the pixels of the tile. */
async function readOgcMap(anonymous: RawClient, { mapId, tiles }: ReleasedMap, grid: Buffer): Promise<void> {
  const [z, x, y] = tiles[0]!;
  const landing = await json(anonymous, `/ogc/maps/${mapId}`);
  const path = pathOf(linkOf(landing, "/ogc/1.0/map"));
  const sideM = (2 * 20_037_508.342_789_244) / 2 ** z;
  const [west, north] = [x * sideM - 20_037_508.342_789_244, 20_037_508.342_789_244 - y * sideM];
  const box = [west, north - sideM, west + sideM, north].join(",");
  const ofTile = await anonymous.get(`${path}?bbox=${box}&bbox-crs=EPSG:3857&width=512&height=512`);
  assert.equal(ofTile.status, 200);
  assert.equal(ofTile.headers.get("content-crs"), "<http://www.opengis.net/def/crs/EPSG/0/3857>");
  const served = await sharp(Buffer.from(await ofTile.arrayBuffer()))
    .ensureAlpha()
    .raw()
    .toBuffer();
  assert.deepEqual(served, await sharp(grid).ensureAlpha().raw().toBuffer());
  const { format, width } = await sharp(await bytesOf(anonymous, `${path}?width=300&f=webp`)).metadata();
  assert.deepEqual([format, width], ["webp", 300]);
  assert.equal((await anonymous.get(`${path}?bbox=-1,-1,1,1`)).status, 204);
  for (const faulty of ["bbox=1,2,3", "width=2049", "bbox=0,0,1,1&width=9&height=90", "bbox-crs=EPSG:1", "f=gif"]) {
    assert.equal((await anonymous.get(`${path}?${faulty}`)).status, 400, faulty);
  }
}

async function readWmts(
  anonymous: RawClient,
  { mapId, tiles }: ReleasedMap,
  grid: Buffer,
  limits: Limits,
): Promise<void> {
  const [z, x, y] = tiles[0]!;
  const path = `/mapsvc/map/${mapId}/wmts.xml`;
  const text = (await bytesOf(anonymous, `${path}?SERVICE=WMTS&REQUEST=GetCapabilities`)).toString();
  // QGIS asks for the capabilities of WMS where it does not know yet that the address is of WMTS.
  assert.equal((await bytesOf(anonymous, `${path}?SERVICE=WMS&REQUEST=GetCapabilities`)).toString(), text);
  const layer = text.split("<Layer>").find((part) => part.includes("<ows:Identifier>ndvi</ows:Identifier>")) ?? "";
  const numberOf = (name: string): number => Number(new RegExp(`<${name}>(\\d+)<`, "u").exec(layer)?.[1]);
  assert.deepEqual([numberOf("MinTileRow"), numberOf("MaxTileCol")], [limits.minTileRow, limits.maxTileCol]);
  const pairs = { layer: "ndvi", style: "default", format: "image/png", tilematrixset: "WebMercatorQuad512" };
  const query = new URLSearchParams({ service: "WMTS", request: "GetTile", version: "1.0.0", ...pairs });
  for (const [name, value] of Object.entries({ tilematrix: z, tilerow: y, tilecol: x })) query.set(name, String(value));
  assert.deepEqual(await bytesOf(anonymous, `${path}?${query.toString()}`), grid);
  const upper = new URLSearchParams([...query].map(([name, value]) => [name.toUpperCase(), value]));
  assert.deepEqual(await bytesOf(anonymous, `${path}?${upper.toString()}`), grid);
  for (const [name, value] of Object.entries({ layer: "other", tilematrixset: "x", tilerow: "-1", version: "2" })) {
    const faulty = new URLSearchParams([...query, [name, value]]);
    const answer = await anonymous.get(`${path}?${faulty.toString()}`);
    assert.equal(answer.status, 400, name);
    assert.match(await answer.text(), new RegExp(name.toUpperCase(), "u"));
  }
}

function linkOf(
  { links }: { readonly links: readonly { readonly rel: string; readonly href: string }[] },
  rel: string,
): string {
  return links.find((link) => link.rel.endsWith(rel))?.href ?? "";
}

async function answered(client: RawClient, address: string) {
  return await json(client, pathOf(address));
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}

async function json(client: RawClient, path: string) {
  return JSON.parse((await bytesOf(client, path)).toString());
}

async function bytesOf(client: RawClient, path: string): Promise<Buffer> {
  const answer = await client.get(path);
  assert.equal(answer.status, 200, path);
  return Buffer.from(await answer.arrayBuffer());
}
