import { Type, type Static } from "typebox";
import { ORDER_PRIORITIES } from "@swath/kernel/tasking/order-priority";
import { PlaceOrPolygonSchema } from "../../kit/schemas/geojson.ts";
import { contractOptionMembers } from "../tasking/contract-options.ts";
import { OrderParametersSchema, WindowIdSchema } from "../tasking/order-parameters.ts";

/** Entries of a page; a larger number is lowered to it. */
export const MAX_ENTRIES = 100;
export const DEFAULT_ENTRIES = 10;
/** Longest wait for a search, seconds; a longer one is shortened to it. */
export const MAX_WAIT_S = 60;

const limit = Type.Optional(
  Type.Integer({
    description: `entries of a page; more than ${MAX_ENTRIES} are ${MAX_ENTRIES}`,
    minimum: 1,
    maximum: 2 ** 31 - 1,
    default: DEFAULT_ENTRIES,
  }),
);
const next = Type.Optional(Type.String({ description: "token of a `next` link", minLength: 1, maxLength: 512 }));

export const ProductIdSchema = Type.String({
  title: "StapiProductId",
  description: "product: provider, dataset and kind of tasking",
  minLength: 1,
  maxLength: 300,
});

/** A page of a list. */
export const PageQuerySchema = Type.Object({ limit, next }, { title: "StapiPageQuery" });
export type PageQuery = Static<typeof PageQuerySchema>;

const asked = {
  datetime: Type.String({
    description: "closed interval `a/b` of two RFC 3339 instants",
    maxLength: 100,
    examples: ["2026-12-01T00:00:00Z/2026-12-09T00:00:00Z"],
  }),
  geometry: PlaceOrPolygonSchema,
  filter: Type.Optional(Type.Unsafe<unknown>({ description: "CQL2 JSON over the queryables of the product" })),
};

export const OpportunityRequestSchema = Type.Object(
  { productId: ProductIdSchema, ...asked, limit, next },
  { title: "StapiOpportunityRequest" },
);
export type OpportunityRequest = Static<typeof OpportunityRequestSchema>;

const { name, projectName, analysisId } = OrderParametersSchema.properties;
const { ingestProducts, derivativeProductTypes, exclusivity, catalogCollection, deliveryLocationId, eula, sla } =
  contractOptionMembers;

/** Members of `order_parameters`. The names of tasking in the spelling of STAPI. */
export const orderParameterMembers = {
  opportunity_id: {
    ...WindowIdSchema,
    title: "OpportunityId",
    description: "opportunity of a search; its price is charged",
  },
  name: Type.Optional({ ...name, description: "name of the order; by default the product" }),
  project_name: projectName,
  analysis_id: analysisId,
  priority: Type.Optional(
    Type.Enum([...ORDER_PRIORITIES], { description: "priority of the opportunity; another one is refused" }),
  ),
  ingest_products: ingestProducts,
  derivative_product_types: derivativeProductTypes,
  exclusivity,
  catalog_collection: catalogCollection,
  delivery_location_id: deliveryLocationId,
  eula,
  sla,
};

const OrderParametersOfStapi = Type.Object(orderParameterMembers, { title: "StapiOrderParameters" });
export type StapiOrderParameters = Static<typeof OrderParametersOfStapi>;

export const OrderRequestSchema = Type.Object(
  { productId: ProductIdSchema, ...asked, order_parameters: OrderParametersOfStapi },
  { title: "StapiOrderRequest" },
);
export type OrderRequest = Static<typeof OrderRequestSchema>;
