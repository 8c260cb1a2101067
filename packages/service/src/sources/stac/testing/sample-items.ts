import { readFileSync } from "node:fs";
import { sampleData } from "@swath/base/sample-data";
import type { StacItemJson } from "./stac-server.ts";
import { tiledTiff } from "@swath/raster/testing/tiled-tiff";

/** Items of Landsat over the Netherlands: real ones where the samples are there, else ones made like them. */
export function landsatItems(): readonly StacItemJson[] {
  return sampleItems("landsat8_netherlands_125_items.json") ?? madeItems();
}

/** Items of a sample file, null where the samples are absent. */
export function sampleItems(file: string): readonly StacItemJson[] | null {
  const path = sampleData("stac", file);
  if (path === null) return null;
  const json = JSON.parse(readFileSync(path, "utf8")) as StacItemJson & { readonly features?: readonly StacItemJson[] };
  return json.features ?? [json];
}

function madeItems(): readonly StacItemJson[] {
  return Array.from({ length: 60 }, (_, i) => {
    const day = new Date(Date.UTC(2020, 0, 1 + 3 * i, 10, 30, i)).toISOString();
    return madeItem(`LC08_L2SP_198023_${day.slice(0, 10).replaceAll("-", "")}_02_T1`, day, 5 + (i % 3) * 0.5, 52);
  });
}

/** An item of the form of Landsat Collection 2 with two bands. */
export function madeItem(id: string, datetime: string | null, west: number, south: number): StacItemJson {
  const [east, north] = [west + 2, south + 1.5];
  const href = (band: string) => `https://landsateuwest.blob.core.windows.net/landsat-c2/${id}/${id}_SR_${band}.TIF`;
  const band = (name: string, common: string) => ({
    href: href(name),
    type: "image/tiff; application=geotiff; profile=cloud-optimized",
    "eo:bands": [{ name: `SR_${name}`, common_name: common }],
    roles: ["data"],
  });
  return {
    type: "Feature",
    stac_version: "1.0.0",
    id,
    collection: "landsat-8-c2-l2",
    links: [],
    bbox: [west, south, east, north],
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [west, south],
          [east, south],
          [east, north],
          [west, north],
          [west, south],
        ],
      ],
    },
    properties: {
      datetime,
      platform: "landsat-8",
      "eo:cloud_cover": 42,
      "view:sun_elevation": 30,
      "view:sun_azimuth": 160,
      "proj:epsg": 4326,
      "proj:bbox": [west, south, east, north],
    },
    assets: { SR_B4: band("B4", "red"), SR_B5: band("B5", "nir08") },
  };
}

/** Where assets of the Landsat items lie, for the rewriting of addresses. */
export const LANDSAT_ASSETS = "https://landsateuwest.blob.core.windows.net/landsat-c2/";

const SIDE_PX = 64;
const TILE_PX = 16;

/** Files for the assets of items: 64 pixels a side over the item's box, value `1000 + column + 64 * row`. */
export function filesOf(items: readonly StacItemJson[], prefix: string): (path: string) => Uint8Array | null {
  const boxes = new Map<string, StacItemJson>();
  for (const item of items) {
    for (const asset of Object.values(item["assets"] as Record<string, { href: string }>)) {
      if (asset.href.startsWith(prefix)) boxes.set(asset.href.slice(prefix.length), item);
    }
  }
  return (path) => {
    const item = boxes.get(path);
    const box = item?.properties["proj:bbox"] as readonly [number, number, number, number] | undefined;
    if (item === undefined || box === undefined) return null;
    const pixelSize = Math.max(box[2] - box[0], box[3] - box[1]) / SIDE_PX;
    return tiledTiff({
      widthPx: SIDE_PX,
      heightPx: SIDE_PX,
      tilePx: TILE_PX,
      epsg: Number(item.properties["proj:epsg"]),
      origin: [box[0], box[3]],
      pixelSize,
      valueAt: (column, row) => 1000 + column + SIDE_PX * row,
    });
  };
}
