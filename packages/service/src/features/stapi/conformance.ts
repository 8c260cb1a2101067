import { STAPI_VERSION } from "./link.ts";

// The specification names its classes by this host.
const ROOT = `https://stapi.example.com/v${STAPI_VERSION}`;

/** Conformance classes that the routes of `/stapi` keep. */
export const CONFORMANCE = [
  `${ROOT}/core`,
  `${ROOT}/order-statuses`,
  `${ROOT}/searches-opportunity`,
  `${ROOT}/searches-opportunity-statuses`,
] as const;

/** Conformance classes of a product that takes these geometries. */
export function productConformance(geometries: readonly ("Point" | "Polygon")[]): readonly string[] {
  return [
    `${ROOT}/opportunities`,
    `${ROOT}/opportunities-async`,
    ...geometries.map((type) => `https://geojson.org/schema/${type}.json`),
  ];
}
