import { MAX_TILE_ZOOM, MERCATOR_HALF_SIDE_M } from "@swath/kernel/tiles/tile";
import type { TileMatrixSet } from "@swath/contract/features/maps/tilesets-contract";

/** Metres of a pixel of the standard rendering of OGC. */
const OGC_PIXEL_M = 0.00028;

/** A pyramid of Web Mercator tiles by the side of a tile. */
export interface TilePyramid {
  readonly id: string;
  readonly title: string;
  readonly tileSidePx: number;
  /** Identifier in the register of OGC; null for a pyramid that is not registered. */
  readonly uri: string | null;
}

export const PYRAMIDS: readonly TilePyramid[] = [
  { id: "WebMercatorQuad512", title: "Web Mercator, tiles of 512 pixels", tileSidePx: 512, uri: null },
  {
    id: "WebMercatorQuad",
    title: "Web Mercator, tiles of 256 pixels",
    tileSidePx: 256,
    uri: "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad",
  },
];

export const WEB_MERCATOR_URI = "http://www.opengis.net/def/crs/EPSG/0/3857";

/** @throws {RangeError} for a side that no pyramid has */
export function pyramidOf(tileSidePx: number): TilePyramid {
  const found = PYRAMIDS.find((pyramid) => pyramid.tileSidePx === tileSidePx);
  if (found === undefined) throw new RangeError(`no pyramid has tiles of ${tileSidePx} pixels`);
  return found;
}

/** Metres of a pixel on the equator. */
function cellSizeM({ tileSidePx }: TilePyramid, zoom: number): number {
  return (2 * MERCATOR_HALF_SIDE_M) / (tileSidePx * 2 ** zoom);
}

/** Scale by pixels of 0.28 mm. A pyramid of tiles of 512 pixels has half the values of the well-known one. */
export function scaleDenominator(pyramid: TilePyramid, zoom: number): number {
  return cellSizeM(pyramid, zoom) / OGC_PIXEL_M;
}

/** The pyramid as a document of OGC Two Dimensional Tile Matrix Set 2.0. */
export function tileMatrixSet(pyramid: TilePyramid): TileMatrixSet {
  const { id, title, tileSidePx, uri } = pyramid;
  return {
    id,
    title,
    crs: WEB_MERCATOR_URI,
    ...(uri === null ? {} : { uri }),
    orderedAxes: ["E", "N"],
    tileMatrices: Array.from({ length: MAX_TILE_ZOOM + 1 }, (_, zoom) => ({
      id: String(zoom),
      scaleDenominator: scaleDenominator(pyramid, zoom),
      cellSize: cellSizeM(pyramid, zoom),
      cornerOfOrigin: "topLeft" as const,
      pointOfOrigin: [-MERCATOR_HALF_SIDE_M, MERCATOR_HALF_SIDE_M],
      tileWidth: tileSidePx,
      tileHeight: tileSidePx,
      matrixWidth: 2 ** zoom,
      matrixHeight: 2 ** zoom,
    })),
  };
}
