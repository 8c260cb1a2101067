import { imagingModeOf } from "../../providers/imaging-mode.ts";
import { productConformance } from "./conformance.ts";
import { GEOJSON_TYPE, JSON_TYPE, nextLinks, productHref, rootOf, SCHEMA_TYPE, STAPI_VERSION } from "./link.ts";
import type { Link, Page } from "./link.ts";
import type { Product } from "./product.ts";

type Document = Readonly<Record<string, unknown>>;

/** Meaning of each kind of tasking. */
const KIND_WORDS = {
  assured: "Captured in the pass of the opportunity.",
  flexible: "Captured in any pass within the interval of the order.",
} as const;

/** The STAPI product of a kind of tasking. */
export function productDocument(product: Product, baseUrl: string): Document {
  const { contract, dataset, id, info, provider, taskingType } = product;
  const { taskingHourDuration, taskingHourOffset, taskingResolution } = info;
  return {
    type: "Collection",
    stapi_type: "Product",
    stapi_version: STAPI_VERSION,
    conformsTo: productConformance(info.allowedTaskingGeometry),
    id,
    title: `${provider.name}: ${dataset.name}, ${taskingType}`,
    description: `New captures of ${dataset.name} by ${provider.name}. ${KIND_WORDS[taskingType]}`,
    keywords: [provider.id, dataset.dataset, dataset.type, imagingModeOf(dataset), taskingType],
    license: "other",
    providers: [{ name: "Swath", roles: ["host"], url: baseUrl }],
    links: productLinks(product, baseUrl),
    "swath:contract": contract.id,
    "swath:gsd_m": [taskingResolution.min, taskingResolution.max],
    "swath:least_area_km2": info.preallocationAreaKm2,
    "swath:longest_side_km": dataset.maxMbrSideM / 1000,
    "swath:lead_hours": [taskingHourOffset.min, taskingHourOffset.max],
    "swath:duration_hours": [taskingHourDuration.min, taskingHourDuration.max],
  };
}

function productLinks({ id }: Product, baseUrl: string): readonly Link[] {
  const self = productHref(baseUrl, id);
  return [
    { rel: "self", href: self, type: JSON_TYPE },
    { rel: "root", href: rootOf(baseUrl), type: JSON_TYPE },
    { rel: "queryables", href: `${self}/queryables`, type: SCHEMA_TYPE },
    { rel: "order-parameters", href: `${self}/order-parameters`, type: SCHEMA_TYPE },
    { rel: "opportunities", href: `${self}/opportunities`, type: GEOJSON_TYPE, method: "POST" },
    { rel: "create-order", href: `${self}/orders`, type: GEOJSON_TYPE, method: "POST" },
    { rel: "orders", href: `${self}/orders`, type: GEOJSON_TYPE, method: "GET" },
  ];
}

export function productsDocument(products: readonly Product[], page: Page, baseUrl: string): Document {
  const self = `${rootOf(baseUrl)}/products`;
  return {
    type: "ProductCollection",
    products: products.map((one) => productDocument(one, baseUrl)),
    links: [
      { rel: "self", href: self, type: JSON_TYPE },
      { rel: "root", href: rootOf(baseUrl), type: JSON_TYPE },
      ...nextLinks(self, page),
    ],
  };
}
