import { escapeMarkup } from "@swath/kernel/text/escape-markup";
import { MAX_TILE_ZOOM, MERCATOR_HALF_SIDE_M } from "@swath/kernel/tiles/tile";
import { limitsOf, tileTemplate, type MapTileset } from "./map-tileset.ts";
import { scaleDenominator, type TilePyramid } from "./tile-matrix-set.ts";

/**
 * Capabilities of WMTS 1.0.0 with one layer for each picture. The limits keep clients from asking for tiles outside
 * the map; GDAL takes the size of the raster from them.
 *
 * @see OGC 07-057r7
 */
export function wmtsCapabilities(tileset: MapTileset, baseUrl: string): string {
  const address = `${baseUrl}/mapsvc/map/${tileset.signedMapId}/wmts.xml`;
  const layers = tileset.pictures.map((picture) => layer(tileset, picture, baseUrl)).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>
<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0">
<ows:ServiceIdentification><ows:Title>${escapeMarkup(tileset.title)}</ows:Title><ows:ServiceType>OGC WMTS</ows:ServiceType><ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion></ows:ServiceIdentification>
<ows:OperationsMetadata>${["GetCapabilities", "GetTile"].map((name) => operation(name, address)).join("")}</ows:OperationsMetadata>
<Contents>${layers}${matrixSet(tileset.pyramid)}</Contents>
<ServiceMetadataURL xlink:href="${escapeMarkup(address)}"/>
</Capabilities>
`;
}

function operation(name: string, address: string): string {
  return `<ows:Operation name="${name}"><ows:DCP><ows:HTTP><ows:Get xlink:href="${escapeMarkup(`${address}?`)}"><ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>KVP</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get></ows:HTTP></ows:DCP></ows:Operation>`;
}

function layer(tileset: MapTileset, picture: string, baseUrl: string): string {
  const [west, south, east, north] = tileset.bounds;
  const place = { z: "{TileMatrix}", x: "{TileCol}", y: "{TileRow}" };
  const template = tileTemplate(baseUrl, tileset.signedMapId, picture, place);
  const limits = limitsOf(tileset).map(
    ({ maxCol, maxRow, minCol, minRow, zoom }) =>
      `<TileMatrixLimits><TileMatrix>${zoom}</TileMatrix><MinTileRow>${minRow}</MinTileRow><MaxTileRow>${maxRow}</MaxTileRow><MinTileCol>${minCol}</MinTileCol><MaxTileCol>${maxCol}</MaxTileCol></TileMatrixLimits>`,
  );
  return `
<Layer><ows:Title>${escapeMarkup(`${tileset.title}: ${layerOf(picture)}`)}</ows:Title><ows:Abstract>${escapeMarkup(tileset.description)}</ows:Abstract>
<ows:WGS84BoundingBox><ows:LowerCorner>${west} ${south}</ows:LowerCorner><ows:UpperCorner>${east} ${north}</ows:UpperCorner></ows:WGS84BoundingBox>
<ows:Identifier>${escapeMarkup(layerOf(picture))}</ows:Identifier><Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style><Format>image/png</Format>
<TileMatrixSetLink><TileMatrixSet>${tileset.pyramid.id}</TileMatrixSet><TileMatrixSetLimits>${limits.join("")}</TileMatrixSetLimits></TileMatrixSetLink>
<ResourceURL format="image/png" resourceType="tile" template="${escapeMarkup(template)}"/></Layer>`;
}

/** The identifier of a layer: the file of its picture without its ending. */
export function layerOf(picture: string): string {
  return picture.replace(/\.png$/u, "");
}

function matrixSet(pyramid: TilePyramid): string {
  const { id, tileSidePx } = pyramid;
  const matrices = Array.from({ length: MAX_TILE_ZOOM + 1 }, (_, zoom) => {
    const count = 2 ** zoom;
    return `<TileMatrix><ows:Identifier>${zoom}</ows:Identifier><ScaleDenominator>${scaleDenominator(pyramid, zoom)}</ScaleDenominator><TopLeftCorner>${-MERCATOR_HALF_SIDE_M} ${MERCATOR_HALF_SIDE_M}</TopLeftCorner><TileWidth>${tileSidePx}</TileWidth><TileHeight>${tileSidePx}</TileHeight><MatrixWidth>${count}</MatrixWidth><MatrixHeight>${count}</MatrixHeight></TileMatrix>`;
  });
  return `
<TileMatrixSet><ows:Identifier>${id}</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>${matrices.join("")}</TileMatrixSet>`;
}
