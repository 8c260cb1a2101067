import { orderParameterMembers } from "@swath/contract/features/stapi/requests";
import type { ContractTerms } from "@swath/contract/features/tasking/contracts-contract";
import { imagingModeOf } from "../../providers/imaging-mode.ts";
import { productHref } from "./link.ts";
import type { Product } from "./product.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Parameters whose values the contract of the caller lists, with the list. */
function choicesOf({ contract: { terms }, dataset, priorities }: Product): Readonly<Record<string, Schema>> {
  const mode = imagingModeOf(dataset);
  const products = terms.imagingModeCapabilities.find((one) => one.mode === mode)?.productTypes.allowed ?? [];
  const listed = { type: "array", items: { type: "string", enum: products }, minItems: 1, uniqueItems: true };
  return {
    priority: { enum: priorities, default: priorities[0] },
    ingest_products: { ...listed, default: products.slice(0, 1) },
    derivative_product_types: listed,
    exclusivity: choice(terms.exclusivity),
    catalog_collection: choice(terms.catalogCollections),
    delivery_location_id: { enum: terms.deliveryLocations.map(({ id }) => id) },
    eula: choice(terms.eula),
    sla: choice(terms.sla),
  };
}

function choice({ allowed, default: usual }: ContractTerms["priority"]): Schema {
  return { enum: allowed, ...(usual === null ? {} : { default: usual }) };
}

/** The JSON Schema of `order_parameters`; parameters that the contract leaves no value for are absent. */
export function orderParametersDocument(product: Product, baseUrl: string): Schema {
  const choices = choicesOf(product);
  const properties = Object.entries(orderParameterMembers).flatMap(([name, schema]) => {
    const own = choices[name] ?? {};
    const { enum: values } = own;
    if (Array.isArray(values) && values.length === 0) return [];
    return [[name, { ...plain(schema), ...own }] as const];
  });
  const needsLicence = product.contract.terms.eula.allowed.length > 0;
  return {
    $schema: "https://json-schema.org/draft/2019-09/schema",
    $id: `${productHref(baseUrl, product.id)}/order-parameters`,
    type: "object",
    title: `Order parameters of ${product.id}`,
    required: ["opportunity_id", ...(needsLicence ? ["eula"] : [])],
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

/** A schema of the contract as JSON: its symbols and functions are for the check of types. */
function plain(schema: object): Schema {
  const { title: _title, ...members }: Schema = JSON.parse(JSON.stringify(schema));
  return members;
}
