import { ServiceError } from "@swath/kernel/errors/service-error";
import type { AreaGeometry, Bounds, MultiPolygonCoordinates } from "@swath/kernel/geometry/geojson";

/** An object or a class of a map. */
interface MapFeature {
  readonly geometry: AreaGeometry;
  readonly properties: Readonly<Record<string, unknown>>;
}

type ColumnType = "boolean" | "number" | "text";

interface FeatureColumn {
  /** Property of the features. */
  readonly property: string;
  /** Name in the table. */
  readonly name: string;
  readonly type: ColumnType;
}

/** Features of a map as rows of a table. */
export interface FeatureTable {
  readonly features: readonly MapFeature[];
  readonly columns: readonly FeatureColumn[];
  /** Null without features. */
  readonly bounds: Bounds | null;
}

/** A table is in memory several times over while it is written. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Names that tables of features have already. */
const TAKEN = ["fid", "geom", "geometry"];

/**
 * Reads a file of features of a map.
 *
 * @param bytes GeoJSON, a collection
 * @throws {ServiceError} IMAGE-TOO-LARGE
 */
export function featureTable(bytes: Uint8Array): FeatureTable {
  if (bytes.byteLength > MAX_BYTES) {
    throw new ServiceError(
      "IMAGE-TOO-LARGE",
      `the features have ${bytes.byteLength} bytes of GeoJSON, expected at most ${MAX_BYTES}: export geojson or shz, ` +
        "a lower zoom, or release a smaller area",
    );
  }
  const { features } = JSON.parse(new TextDecoder().decode(bytes)) as {
    readonly features: readonly MapFeature[];
  };
  return { features, columns: columnsOf(features), bounds: boundsOf(features) };
}

/** The value of a feature in a column; lists and objects as JSON. */
export function cellOf(
  { properties }: MapFeature,
  { property, type }: FeatureColumn,
): boolean | number | string | null {
  const value = properties[property] ?? null;
  if (value === null || typeof value === type) return value as boolean | number | null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function typeOf(value: unknown): ColumnType {
  return typeof value === "number" || typeof value === "boolean" ? (typeof value as ColumnType) : "text";
}

/** A column for each property, text where its values differ in type. */
function columnsOf(features: readonly MapFeature[]): readonly FeatureColumn[] {
  const types = new Map<string, ColumnType>();
  for (const { properties } of features) {
    for (const [property, value] of Object.entries(properties)) {
      if (value === null) {
        if (!types.has(property)) types.set(property, "text");
        continue;
      }
      const type = typeOf(value);
      types.set(property, (types.get(property) ?? type) === type ? type : "text");
    }
  }
  const names = new Set(TAKEN);
  return [...types].map(([property, type]) => {
    let name = property;
    // Names of columns do not differ by case alone.
    while (names.has(name.toLowerCase())) name += "_";
    names.add(name.toLowerCase());
    return { property, name, type };
  });
}

/** The polygons of an outline. */
export function polygonsOf(geometry: AreaGeometry): MultiPolygonCoordinates {
  return geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
}

function boundsOf(features: readonly MapFeature[]): Bounds | null {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { geometry } of features) {
    for (const [lon, lat] of polygonsOf(geometry).flat(2)) {
      [west, east] = [Math.min(west, lon), Math.max(east, lon)];
      [south, north] = [Math.min(south, lat), Math.max(north, lat)];
    }
  }
  return west <= east ? [west, south, east, north] : null;
}
