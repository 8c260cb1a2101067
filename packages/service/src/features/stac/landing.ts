import { collectionDocument, type CollectionExtent } from "./collection-document.ts";
import type { Collection } from "./collections.ts";
import { collectionHref, GEOJSON_TYPE, JSON_TYPE, QUERYABLES_REL, rootOf, type Link } from "./link.ts";

type Document = Readonly<Record<string, unknown>>;

/** The landing page of STAC API and OGC API Features. */
export function landingDocument(
  collections: readonly Collection[],
  conformsTo: readonly string[],
  baseUrl: string,
): Document {
  const root = rootOf(baseUrl);
  const links: Link[] = [
    { rel: "self", href: root, type: JSON_TYPE },
    { rel: "root", href: root, type: JSON_TYPE },
    { rel: "conformance", href: `${root}/conformance`, type: JSON_TYPE },
    { rel: "children", href: `${root}/children`, type: JSON_TYPE },
    { rel: "data", href: `${root}/collections`, type: JSON_TYPE },
    { rel: "search", href: `${root}/search`, type: GEOJSON_TYPE, method: "GET" },
    { rel: "search", href: `${root}/search`, type: GEOJSON_TYPE, method: "POST" },
    { rel: "service-desc", href: `${root}/api`, type: "application/vnd.oai.openapi+json;version=3.0" },
    { rel: "service-doc", href: `${baseUrl}/docs`, type: "text/html" },
    { rel: "aggregations", href: `${root}/aggregations`, type: JSON_TYPE },
    { rel: "aggregate", href: `${root}/aggregate`, type: JSON_TYPE },
    { rel: QUERYABLES_REL, href: `${root}/queryables`, type: "application/schema+json" },
    ...collections.map(({ id, listing }) => ({
      rel: "child",
      href: collectionHref(baseUrl, id),
      type: JSON_TYPE,
      title: listing.datasetName,
    })),
  ];
  return {
    type: "Catalog",
    stac_version: "1.1.0",
    id: "swath",
    title: "Swath",
    description: "Scenes that this service holds or knows, as far as the caller may search them.",
    conformsTo,
    links,
  };
}

interface Described {
  readonly extents: ReadonlyMap<string, CollectionExtent>;
  readonly baseUrl: string;
}

/** The documents behind the `child` links of the landing page. */
export function childrenDocument(collections: readonly Collection[], { extents, baseUrl }: Described): Document {
  const root = rootOf(baseUrl);
  return {
    children: collections.map((one) => collectionDocument(one, extents.get(one.id) ?? null, baseUrl)),
    links: [
      { rel: "self", href: `${root}/children`, type: JSON_TYPE },
      { rel: "root", href: root, type: JSON_TYPE },
      { rel: "parent", href: root, type: JSON_TYPE },
    ],
  };
}

export function collectionsDocument(
  page: readonly Collection[],
  matched: number,
  next: string | null,
  { extents, baseUrl }: Described,
): Document {
  const root = rootOf(baseUrl);
  return {
    collections: page.map((one) => collectionDocument(one, extents.get(one.id) ?? null, baseUrl)),
    numberMatched: matched,
    numberReturned: page.length,
    links: [
      { rel: "self", href: `${root}/collections`, type: JSON_TYPE },
      { rel: "root", href: root, type: JSON_TYPE },
      { rel: "parent", href: root, type: JSON_TYPE },
      ...(next === null ? [] : [{ rel: "next", href: next, type: JSON_TYPE, method: "GET" }]),
    ],
  };
}
