import { tiledTiff } from "@swath/raster/testing/tiled-tiff";
import type { StaticServer } from "./static-server.ts";

export interface StaticCatalogueOptions {
  readonly version?: "1.0.0" | "1.1.0";
  /** Self-contained catalogues have relative links and no self links. */
  readonly links?: "relative" | "absolute";
  readonly items?: number;
}

/** Degrees of the side of a scene, and pixels of the side of its file. */
const SIDE_DEG = 0.5;
const SIDE_PX = 64;
const WEST = 14;
const SOUTH = 50;

/** Identifier of the item of a number; the first is the oldest. */
export function itemId(index: number): string {
  return `flight-${String(index).padStart(3, "0")}`;
}

/** Time of the item of a number: one each day. */
export function itemTimeMs(index: number): number {
  return Date.UTC(2026, 0, 1 + index, 10, 30, 5);
}

/**
 * A catalogue of one collection by years as PySTAC writes it: `/catalog.json`, `/flights/collection.json`,
 * `/flights/2026/catalog.json` and one folder for each item with its files.
 */
export function writeStaticCatalogue(server: StaticServer, options: StaticCatalogueOptions = {}): void {
  const { version = "1.1.0", links = "relative", items = 12 } = options;
  const link = (rel: string, from: string, to: string): object => ({
    rel,
    href: links === "absolute" ? server.url + to : relative(from, to),
    type: "application/json",
  });
  const put = (path: string, document: object, named: readonly object[]): void => {
    const self = links === "absolute" ? [link("self", path, path)] : [];
    const all = [link("root", path, "/catalog.json"), ...self, ...named];
    server.files.set(path, { ...document, stac_version: version, links: all });
  };
  const [root, collection, year] = ["/catalog.json", "/flights/collection.json", "/flights/2026/catalog.json"];
  put(root, { type: "Catalog", id: "acme", description: "Acme" }, [link("child", root, collection)]);
  const extent = { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [[null, null]] } };
  put(collection, { type: "Collection", id: "flights", description: "Flights", license: "other", extent }, [
    link("parent", collection, root),
    link("child", collection, year),
  ]);
  const paths = Array.from({ length: items }, (_, index) => `/flights/2026/${itemId(index)}/item.json`);
  put(year, { type: "Catalog", id: "2026", description: "2026" }, [
    link("parent", year, collection),
    ...paths.map((path) => link("item", year, path)),
  ]);
  for (const [index, path] of paths.entries()) {
    put(path, item(index, version), [link("collection", path, collection)]);
    server.files.set(path.replace("item.json", "red.tif"), pixels(index));
    server.files.set(path.replace("item.json", "nir.tif"), pixels(index));
  }
}

function relative(from: string, to: string): string {
  const up = from.split("/").length - 2;
  return `${up === 0 ? "./" : "../".repeat(up)}${to.slice(1)}`;
}

function west(index: number): number {
  return WEST + (index % 3) * 0.1;
}

function item(index: number, version: "1.0.0" | "1.1.0"): object {
  const [w, s, e, n] = [west(index), SOUTH, west(index) + SIDE_DEG, SOUTH + SIDE_DEG];
  const ring = [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
    [w, s],
  ];
  const asset = (name: "red" | "nir"): object => ({
    href: `./${name}.tif`,
    type: "image/tiff; application=geotiff; profile=cloud-optimized",
    roles: ["data"],
    ...(version === "1.0.0"
      ? { "eo:bands": [{ name, common_name: name === "red" ? "red" : "nir08" }] }
      : { bands: [{ name, "eo:common_name": name === "red" ? "red" : "nir08", data_type: "uint16" }] }),
  });
  return {
    type: "Feature",
    id: itemId(index),
    collection: "flights",
    geometry: { type: "Polygon", coordinates: [ring] },
    bbox: [w, s, e, n],
    properties: {
      datetime: new Date(itemTimeMs(index)).toISOString(),
      platform: "acme-1",
      gsd: 500,
      ...(version === "1.0.0" ? { "proj:epsg": 4326 } : { "proj:code": "EPSG:4326" }),
    },
    assets: { red: asset("red"), nir: asset("nir") },
  };
}

function pixels(index: number): Uint8Array {
  return tiledTiff({
    widthPx: SIDE_PX,
    heightPx: SIDE_PX,
    tilePx: 16,
    epsg: 4326,
    origin: [west(index), SOUTH + SIDE_DEG],
    pixelSize: SIDE_DEG / SIDE_PX,
    valueAt: (column, row) => 1000 + column + SIDE_PX * row,
  });
}
