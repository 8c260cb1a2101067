import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tiledTiff } from "@swath/raster/testing/tiled-tiff";
import {
  startStaticServer,
  type StaticServer,
} from "../packages/service/src/sources/stac-static/testing/static-server.ts";
import type { RawClient } from "./raw-client.ts";

/** Files of items on a host that the catalogue file allows. */
export interface ItemFiles extends AsyncDisposable {
  readonly server: StaticServer;
  /** Path of the catalogue file. */
  readonly catalogue: string;
}

export const ITEMS = "/stac/collections/local.uploads/items";
const SIDE_PX = 64;
const PIXEL_M = 10;
export const BANDS = ["blue", "green", "red", "nir"] as const;
const ORIGIN = [460_000, 5_550_000] as const;

/** One band of a scene near Prague. */
export function bandFile(band: number, seed = 0): Uint8Array {
  return tiledTiff({
    widthPx: SIDE_PX,
    heightPx: SIDE_PX,
    tilePx: 16,
    epsg: 32_633,
    origin: ORIGIN,
    pixelSize: PIXEL_M,
    nodata: 0,
    valueAt: (column, row) => 500 + 400 * band + ((column * 7 + row * 13 + seed) % 300),
  });
}

export async function itemFiles(): Promise<ItemFiles> {
  const folder = mkdtempSync(join(tmpdir(), "swath-items-"));
  const server = await startStaticServer();
  for (const [index, band] of BANDS.entries()) server.files.set(`/scene/${band}.tif`, bandFile(index));
  const catalogue = join(folder, "catalogue.json");
  const rewriteHrefs = [{ from: "s3://scenes/", to: `${server.url}/scene/` }];
  writeFileSync(catalogue, JSON.stringify({ items: { hosts: [server.url], rewriteHrefs } }));
  return {
    server,
    catalogue,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An item of the four files. */
export function item(id: string, base: string, properties: object = {}) {
  const asset = (band: string) => ({
    href: `${base}${band}.tif`,
    type: "image/tiff; application=geotiff; profile=cloud-optimized",
    roles: ["data"],
    bands: [{ name: band, "eo:common_name": band }],
  });
  // The corners of the files, in degrees.
  const [west, south, east, north] = [14.4407576, 50.095195, 14.449639, 50.100908];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return {
    type: "Feature",
    stac_version: "1.1.0",
    id,
    geometry: { type: "Polygon", coordinates: [ring] },
    bbox: [west, south, east, north],
    properties: { datetime: "2026-06-03T11:24:36Z", platform: "acme-1", "eo:cloud_cover": 4, ...properties },
    assets: Object.fromEntries(BANDS.map((band) => [band, asset(band)])),
    links: [],
  };
}

/** A client of the Transaction extension. */
export async function itemsJourney(demo: RawClient, { server }: ItemFiles): Promise<void> {
  const base = `${server.url}/scene/`;
  const made = await demo.post(ITEMS, item("flight-1", base));
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const href = new URL(made.headers.get("location") ?? "").pathname;
  assert.equal(made.body.properties.title, "flight-1");
  const read = await demo.get(href);
  const etag = read.headers.get("etag") ?? "";
  const replaced = await demo.send("PUT", href, item("flight-1", base, { "eo:cloud_cover": 7 }), { "If-Match": etag });
  assert.equal(replaced.status, 200, JSON.stringify(replaced.body));
  assert.equal(replaced.body.properties["eo:cloud_cover"], 7);
  const patch = { properties: { "eo:cloud_cover": 9, "acme:pilot": "Ada" } };
  const patched = await demo.send("PATCH", `${ITEMS}/flight-1`, patch);
  assert.equal(patched.status, 200, JSON.stringify(patched.body));
  assert.deepEqual([patched.body.properties["eo:cloud_cover"], patched.body.properties["acme:pilot"]], [9, "Ada"]);
  const lines = ["flight-1", "flight-2"].map((id) => JSON.stringify(item(id, base))).join("\n");
  const imported = await demo.send("PUT", ITEMS.replace(/items$/u, "import"), `${lines}\n{}`);
  assert.equal(imported.status, 200, JSON.stringify(imported.body));
  const { created, replaced: changed, refused } = imported.body;
  assert.deepEqual({ created, changed, refused }, { created: 1, changed: 1, refused: 1 });
  for (const id of ["flight-1", "flight-2"]) {
    const deleted = await demo.send("DELETE", `${ITEMS}/${id}`);
    assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
    assert.equal((await demo.get(`${ITEMS}/${id}`)).status, 404);
  }
}
