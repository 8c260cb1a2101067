import type { PropertyType, PropertyTypes } from "@swath/kernel/cql2/evaluate";
import type { SensorLimits } from "@swath/kernel/tasking/sensor-limits";
import { productHref } from "./link.ts";
import type { Product } from "./product.ts";

type Schema = Readonly<Record<string, unknown>>;

/** The limit of clouds is a condition on captures; all other queryables are properties of opportunities. */
export const CLOUD_COVER = "eo:cloud_cover";
export const PRIORITY = "swath:priority";

const DEGREES = { type: "number", "x-ogc-unit": "deg" };
const SHARE = { type: "number", minimum: 0, maximum: 1, "x-ogc-unit": "1" };

/** The queryables of a product with their real limits. */
function queryablesOf({ dataset, priorities }: Product): Readonly<Record<string, Schema>> {
  const { limits, satellites } = dataset.sensors ?? { limits: null, satellites: [] };
  const names = satellites.map(({ name }) => name);
  return {
    ...(dataset.type === "optical" ? { [CLOUD_COVER]: CLOUDS } : {}),
    [PRIORITY]: { title: "Priority of orders", type: "string", enum: priorities, default: priorities[0] },
    ...(limits === null ? {} : anglesOf(limits)),
    "sat:orbit_state": { title: "Direction of flight", type: "string", enum: ["ascending", "descending"] },
    platform: { title: "Satellite", type: "string", ...(names.length === 0 ? {} : { enum: names }) },
    "swath:credits": { title: "Price of an order", type: "number", minimum: 0, "x-ogc-unit": "credits" },
    "swath:coverage": { title: "Share of the area that the pass can image", ...SHARE },
    "swath:probability": { title: "Probability that clouds stay within their limit", ...SHARE },
  };
}

const CLOUDS = {
  title: "Largest cloud cover of captures",
  description: "takes an upper limit; a capture with more clouds does not fulfil the order",
  type: "number",
  minimum: 0,
  maximum: 100,
  default: 20,
  "x-ogc-unit": "%",
};

function anglesOf(limits: SensorLimits): Readonly<Record<string, Schema>> {
  const [offNadir, incidence, sun] = [
    { title: "Off-nadir angle", ...DEGREES },
    { title: "Incidence angle", ...DEGREES },
    { title: "Elevation of the sun", ...DEGREES },
  ];
  if (limits.kind === "optical") {
    return {
      "view:off_nadir": { ...offNadir, minimum: 0, maximum: limits.maxOffNadirDeg },
      "view:incidence_angle": { ...incidence, minimum: 0, maximum: 90 },
      "view:sun_elevation": { ...sun, minimum: limits.minSunElevationDeg, maximum: 90 },
    };
  }
  const { lookSides, maxIncidenceDeg, minIncidenceDeg } = limits;
  return {
    "view:off_nadir": { ...offNadir, minimum: 0, maximum: 90 },
    "view:incidence_angle": { ...incidence, minimum: minIncidenceDeg, maximum: maxIncidenceDeg },
    "view:sun_elevation": { ...sun, minimum: -90, maximum: 90 },
    "sar:observation_direction": { title: "Side of the radar", type: "string", enum: lookSides },
  };
}

/** Types of the properties of opportunities that filters may name. */
export function opportunityTypes(product: Product): PropertyTypes {
  const types = Object.entries(queryablesOf(product)).map(([name, { type }]): [string, PropertyType] => [
    name,
    type === "number" ? "number" : "string",
  ]);
  return Object.fromEntries(types.filter(([name]) => name !== CLOUD_COVER));
}

/** The JSON Schema of the queryables of a product. */
export function queryablesDocument(product: Product, baseUrl: string): Schema {
  return {
    $schema: "https://json-schema.org/draft/2019-09/schema",
    $id: `${productHref(baseUrl, product.id)}/queryables`,
    type: "object",
    title: `Queryables of ${product.id}`,
    properties: queryablesOf(product),
    additionalProperties: false,
  };
}
