import type { AreaGeometry } from "@swath/kernel/geometry/geojson";
import { wkbOf } from "@swath/kernel/geometry/wkb";
import type { ParquetRow } from "../../../platform/parquet/parquet-column.ts";

type Document = Readonly<Record<string, unknown>>;

/** An item as `itemDocument` makes it. */
interface Item extends Document {
  readonly assets: Readonly<Record<string, Document>>;
  readonly bbox: readonly [west: number, south: number, east: number, north: number];
  readonly geometry: AreaGeometry;
  readonly properties: Document & { readonly datetime: string };
}

/** The row of an item in a file of `itemColumns`. */
export function itemRow(document: Document): ParquetRow {
  const { assets, bbox, geometry, properties, ...members } = document as Item;
  const [xmin, ymin, xmax, ymax] = bbox;
  return {
    ...properties,
    ...members,
    datetime: new Date(properties.datetime),
    geometry: wkbOf(geometry),
    bbox: { xmin, ymin, xmax, ymax },
    assets: Object.fromEntries(Object.entries(assets).map(([name, asset]) => [name, assetValue(asset)])),
  };
}

function assetValue({ bands, "file:size": sizeBytes, ...asset }: Document): Document {
  return {
    ...asset,
    ...(typeof sizeBytes === "number" ? { "file:size": BigInt(sizeBytes) } : {}),
    ...(Array.isArray(bands) ? { bands: bands.map(bandValue) } : {}),
  };
}

function bandValue({ nodata, ...band }: Document): Document {
  return { ...band, nodata: nodata === "nan" ? Number.NaN : nodata };
}
