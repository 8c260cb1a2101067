import type { TileJson } from "@swath/contract/features/maps/tilesets-contract";
import { minZoomOf, tileTemplate, type MapTileset } from "./map-tileset.ts";

/** TileJSON 3.0.0 of a picture. @see https://github.com/mapbox/tilejson-spec/tree/master/3.0.0 */
export function tileJson(tileset: MapTileset, fileName: string, baseUrl: string): TileJson {
  const [west, south, east, north] = tileset.bounds;
  const minzoom = minZoomOf(tileset);
  return {
    tilejson: "3.0.0",
    name: tileset.title,
    description: tileset.description,
    attribution: tileset.attribution,
    datetime: tileset.datetime,
    scheme: "xyz",
    tiles: [tileTemplate(baseUrl, tileset.signedMapId, fileName, { z: "{z}", x: "{x}", y: "{y}" })],
    tileSize: tileset.pyramid.tileSidePx,
    minzoom,
    maxzoom: tileset.maxZoom,
    bounds: [west, south, east, north],
    center: [(west + east) / 2, (south + north) / 2, minzoom],
  };
}
