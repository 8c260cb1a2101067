import type { ParquetColumns, ParquetType } from "../../../platform/parquet/parquet-column.ts";

const TEXTS: ParquetType = { list: "text" };

/** Types of the properties that items have. */
const PROPERTIES: ParquetColumns = {
  datetime: "instant",
  title: "text",
  platform: "text",
  mission: "text",
  instruments: TEXTS,
  gsd: "double",
  "eo:cloud_cover": "double",
  "view:off_nadir": "double",
  "view:azimuth": "double",
  "view:sun_azimuth": "double",
  "view:sun_elevation": "double",
  "sat:orbit_state": "text",
  "sat:relative_orbit": "int32",
  "sar:instrument_mode": "text",
  "sar:observation_direction": "text",
  "proj:code": "text",
  "proj:epsg": "int32",
  "order:status": "text",
  "swath:bands": TEXTS,
  "swath:area_km2": "double",
  "swath:ingested": "boolean",
  "swath:overlap": "double",
  "swath:credits_per_km2": "double",
  "swath:allocated_ratio": "double",
};

const BAND: ParquetType = {
  struct: {
    name: "text",
    "eo:common_name": "text",
    data_type: "text",
    nodata: "double",
    statistics: { struct: { minimum: "double", maximum: "double", mean: "double", stddev: "double" } },
    "raster:scale": "double",
    "raster:offset": "double",
  },
};

const PICTURE: ParquetType = { struct: { href: "text", type: "text", title: "text", roles: TEXTS } };

const COG: ParquetType = {
  struct: {
    href: "text",
    type: "text",
    title: "text",
    roles: TEXTS,
    gsd: "double",
    "proj:shape": { list: "int32" },
    "proj:transform": { list: "double" },
    "file:size": "int64",
    bands: { list: BAND },
  },
};

const LINK: ParquetType = { struct: { rel: "text", href: "text", type: "text" } };

/** Columns of the members of items besides their properties; no property has such a name. */
const MEMBERS: ParquetColumns = {
  type: "text",
  stac_version: "text",
  stac_extensions: TEXTS,
  id: "text",
  collection: "text",
  geometry: "bytes",
  bbox: { struct: { xmin: "double", ymin: "double", xmax: "double", ymax: "double" } },
  links: { list: LINK },
};

/**
 * The columns of a file of items: properties are columns, as STAC-GeoParquet prescribes.
 *
 * @param files names of the COGs that some item has
 */
export function itemColumns(files: readonly string[]): ParquetColumns {
  const assets = { thumbnail: PICTURE, ...Object.fromEntries(files.map((name) => [name, COG])) };
  return { ...MEMBERS, assets: { struct: assets }, ...PROPERTIES };
}

/** Metadata of the file. @see https://geoparquet.org/releases/v1.1.0/ */
export const ITEM_METADATA: Readonly<Record<string, string>> = {
  geo: JSON.stringify({
    version: "1.1.0",
    primary_column: "geometry",
    columns: {
      geometry: {
        encoding: "WKB",
        geometry_types: ["MultiPolygon", "Polygon"],
        covering: {
          bbox: { xmin: ["bbox", "xmin"], ymin: ["bbox", "ymin"], xmax: ["bbox", "xmax"], ymax: ["bbox", "ymax"] },
        },
      },
    },
  }),
  "stac-geoparquet": JSON.stringify({ version: "1.0.0" }),
};
