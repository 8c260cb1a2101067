import { tileUrl } from "../maps/layer.ts";

/** The addresses of a map for people and programs. */
export interface LinkAddresses {
  readonly page: string;
  /** An `<iframe>` of the map. */
  readonly frame: string;
  readonly tiles: string;
  /** The document from which map libraries take everything about the tiles. */
  readonly tileJson: string;
  /** Capabilities of OGC WMTS. */
  readonly wmts: string;
  /** Null for a map without a GeoTIFF. */
  readonly geotiff: string | null;
}

/** @param geotiffName file of the map type, null for none */
export function linkAddresses(
  origin: string,
  { mapId, fileName }: { readonly mapId: string; readonly fileName: string },
  geotiffName: string | null,
): LinkAddresses {
  const page = `${origin}/m/${mapId}`;
  return {
    page,
    frame: `<iframe src="${page}/embed" width="800" height="500" title="Map" loading="lazy"></iframe>`,
    tiles: origin + tileUrl({ mapId, fileName }),
    tileJson: `${origin}/mapsvc/map/${mapId}/tilejson.json?file=${encodeURIComponent(fileName)}`,
    wmts: `${origin}/mapsvc/map/${mapId}/wmts.xml`,
    geotiff: geotiffName === null ? null : `${origin}/mapsvc/grid/${mapId}/-/${encodeURIComponent(geotiffName)}`,
  };
}
