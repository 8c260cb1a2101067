import { layerOf } from "../maps/tilesets/wmts-capabilities.ts";
import { tileTemplate, type MapTileset } from "../maps/tilesets/map-tileset.ts";
import { JSON_TYPE, type Link } from "./link.ts";

/** The extension of items with links to maps. */
export const MAP_LINKS_EXTENSION = "https://stac-extensions.github.io/web-map-links/v1.2.0/schema.json";

/**
 * Links of an item to maps of its scene: tiles by address, by WMTS and by TileJSON.
 *
 * @see https://github.com/stac-extensions/web-map-links
 */
export function mapLinks(tilesets: readonly MapTileset[], baseUrl: string): readonly Link[] {
  return tilesets.flatMap((tileset): readonly Link[] => {
    const { pictures, signedMapId, title } = tileset;
    const [picture] = pictures;
    const home = `${baseUrl}/mapsvc/map/${signedMapId}`;
    const place = { z: "{z}", x: "{x}", y: "{y}" };
    return [
      { rel: "xyz", href: tileTemplate(baseUrl, signedMapId, picture, place), type: "image/png", title },
      { rel: "wmts", href: `${home}/wmts.xml`, type: "image/png", title, "wmts:layer": pictures.map(layerOf) },
      { rel: "tilejson", href: `${home}/tilejson.json`, type: JSON_TYPE, title },
    ];
  });
}
