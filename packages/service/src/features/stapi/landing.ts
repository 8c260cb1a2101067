import { CONFORMANCE } from "./conformance.ts";
import { GEOJSON_TYPE, JSON_TYPE, rootOf } from "./link.ts";

/** The landing page of the Sensor Tasking API. */
export function landingDocument(baseUrl: string): Readonly<Record<string, unknown>> {
  const root = rootOf(baseUrl);
  return {
    id: "swath",
    title: "Swath: Sensor Tasking API",
    description: "Products that the caller can order, opportunities with prices, and orders.",
    conformsTo: CONFORMANCE,
    links: [
      { rel: "self", href: root, type: JSON_TYPE },
      { rel: "root", href: root, type: JSON_TYPE },
      { rel: "conformance", href: `${root}/conformance`, type: JSON_TYPE },
      { rel: "service-desc", href: `${root}/api`, type: "application/vnd.oai.openapi+json;version=3.0" },
      { rel: "service-doc", href: `${baseUrl}/docs`, type: "text/html" },
      { rel: "products", href: `${root}/products`, type: JSON_TYPE },
      { rel: "orders", href: `${root}/orders`, type: GEOJSON_TYPE },
      { rel: "opportunity-search-records", href: `${root}/searches/opportunities`, type: JSON_TYPE },
      { rel: "related", href: `${baseUrl}/stac`, type: JSON_TYPE, title: "Delivered scenes" },
    ],
  };
}
