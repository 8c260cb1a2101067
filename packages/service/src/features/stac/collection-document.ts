import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { Collection } from "./collections.ts";
import { collectionHref, GEOJSON_TYPE, JSON_TYPE, QUERYABLES_REL, rootOf } from "./link.ts";

/** Period and box of the scenes of a collection. */
export interface CollectionExtent {
  readonly scenes: number;
  readonly first: Date;
  readonly last: Date;
  readonly bounds: Bounds;
}

/** The box of GeoJSON: the west is east of the east across the antimeridian. */
function wrapped([west, south, east, north]: Bounds): readonly number[] {
  if (east - west >= 360) return [-180, south, 180, north];
  return [west, south, east > 180 ? east - 360 : east, north];
}

/** The STAC 1.1.0 collection of a dataset. */
export function collectionDocument(
  { id, listing }: Collection,
  extent: CollectionExtent | null,
  baseUrl: string,
): Readonly<Record<string, unknown>> {
  const self = collectionHref(baseUrl, id);
  const interval = extent === null ? [null, null] : [extent.first.toISOString(), extent.last.toISOString()];
  return {
    type: "Collection",
    stac_version: "1.1.0",
    stac_extensions: [],
    id,
    title: `${listing.providerName}: ${listing.datasetName}`,
    description: `Scenes of ${listing.datasetName} by ${listing.providerName}. ${listing.attribution}`,
    keywords: [listing.datasetType, listing.provider],
    license: "other",
    providers: [{ name: listing.providerName, roles: ["producer", "licensor"] }],
    extent: {
      spatial: { bbox: [extent === null ? [-180, -90, 180, 90] : wrapped(extent.bounds)] },
      temporal: { interval: [interval] },
    },
    summaries: {
      gsd: { minimum: listing.resolution[0] ?? 0, maximum: listing.resolution[1] ?? 0 },
      "swath:scenes": [extent?.scenes ?? 0],
    },
    itemType: "feature",
    crs: ["http://www.opengis.net/def/crs/OGC/1.3/CRS84"],
    links: [
      { rel: "self", href: self, type: JSON_TYPE },
      { rel: "root", href: rootOf(baseUrl), type: JSON_TYPE },
      { rel: "parent", href: rootOf(baseUrl), type: JSON_TYPE },
      { rel: "items", href: `${self}/items`, type: GEOJSON_TYPE },
      { rel: "aggregations", href: `${self}/aggregations`, type: JSON_TYPE },
      { rel: "aggregate", href: `${self}/aggregate`, type: JSON_TYPE },
      { rel: QUERYABLES_REL, href: `${self}/queryables`, type: "application/schema+json" },
    ],
  };
}
