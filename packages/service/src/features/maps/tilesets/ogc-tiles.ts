import type { OgcLink, Tileset } from "@swath/contract/features/maps/tilesets-contract";
import { limitsOf, type MapTileset } from "./map-tileset.ts";
import { WEB_MERCATOR_URI } from "./tile-matrix-set.ts";

const TILES = "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf";
const MAPS = "http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf";
const COMMON = "http://www.opengis.net/spec/ogcapi-common-1/1.0/conf";
const MATRIX_SETS = "http://www.opengis.net/spec/tms/2.0/conf";
const REL = "http://www.opengis.net/def/rel/ogc/1.0";
const JSON_TYPE = "application/json";

export const CONFORMANCE: readonly string[] = [
  `${COMMON}/core`,
  `${COMMON}/landing-page`,
  `${COMMON}/json`,
  `${TILES}/core`,
  `${TILES}/tileset`,
  `${TILES}/tilesets-list`,
  `${TILES}/dataset-tilesets`,
  `${TILES}/png`,
  `${MAPS}/core`,
  `${MAPS}/png`,
  `${MATRIX_SETS}/tilematrixset`,
  `${MATRIX_SETS}/json-tilematrixset`,
];

/** Address of a map among the addresses of OGC API Tiles. */
function mapAddress({ signedMapId }: Pick<MapTileset, "signedMapId">, baseUrl: string): string {
  return `${baseUrl}/ogc/maps/${signedMapId}`;
}

export function landingLinks(tileset: MapTileset, baseUrl: string): readonly OgcLink[] {
  const address = mapAddress(tileset, baseUrl);
  return [
    { rel: "self", href: address, type: JSON_TYPE },
    { rel: "conformance", href: `${address}/conformance`, type: JSON_TYPE },
    { rel: `${REL}/conformance`, href: `${address}/conformance`, type: JSON_TYPE },
    { rel: "service-desc", href: `${baseUrl}/openapi.json`, type: "application/vnd.oai.openapi+json;version=3.1" },
    { rel: "service-doc", href: `${baseUrl}/docs`, type: "text/html" },
    { rel: `${REL}/tilesets-map`, href: `${address}/map/tiles`, type: JSON_TYPE, title: "Tilesets of the map" },
    { rel: `${REL}/map`, href: `${address}/map`, type: "image/png", title: "Picture of the map" },
    { rel: `${REL}/tiling-schemes`, href: `${baseUrl}/ogc/tileMatrixSets`, type: JSON_TYPE },
  ];
}

/** The tileset as the list of tilesets holds it. */
export function listedTileset(tileset: MapTileset, baseUrl: string): Tileset {
  const { id, uri } = tileset.pyramid;
  const address = `${mapAddress(tileset, baseUrl)}/map/tiles/${id}`;
  return {
    title: tileset.title,
    dataType: "map",
    crs: WEB_MERCATOR_URI,
    tileMatrixSetURI: uri ?? `${baseUrl}/ogc/tileMatrixSets/${id}`,
    links: [
      { rel: "self", href: address, type: JSON_TYPE },
      {
        rel: "item",
        href: `${address}/{tileMatrix}/{tileRow}/{tileCol}`,
        type: "image/png",
        templated: true,
      },
      { rel: `${REL}/tiling-scheme`, href: `${baseUrl}/ogc/tileMatrixSets/${id}`, type: JSON_TYPE },
    ],
  };
}

/** The tileset with the places of its tiles. */
export function wholeTileset(tileset: MapTileset, baseUrl: string): Tileset {
  const [west, south, east, north] = tileset.bounds;
  return {
    ...listedTileset(tileset, baseUrl),
    tileMatrixSetLimits: limitsOf(tileset).map(({ maxCol, maxRow, minCol, minRow, zoom }) => ({
      tileMatrix: String(zoom),
      minTileRow: minRow,
      maxTileRow: maxRow,
      minTileCol: minCol,
      maxTileCol: maxCol,
    })),
    boundingBox: {
      lowerLeft: [west, south],
      upperRight: [east, north],
      crs: "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
    },
  };
}
