import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { OpportunityRequestSchema, OrderRequestSchema, PageQuerySchema, ProductIdSchema } from "./requests.ts";

const GEOJSON = "application/geo+json";
/** Orders and searches keep their requests. */
const BODY_LIMIT_BYTES = 64 * 1024;
const READ = ["organization.tasking.read-orders", "admin.tasking.read-orders"];

/** Answers of the dialect: its specification defines their members. */
const Document = (title: string, description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}, { title, description, additionalProperties: true }));

const OpportunitiesDocument = Document("StapiOpportunities", "GeoJSON FeatureCollection of opportunities, or a search");
const OrderDocument = Document("StapiOrder", "GeoJSON Feature of an order");
const OrdersDocument = Document("StapiOrders", "GeoJSON FeatureCollection of orders");
const SearchDocument = Document("StapiSearch", "search for opportunities");
const StatusesDocument = Document("StapiStatuses", "statuses, oldest first, and links");

const OrderIdSchema = Type.String({ description: "order", minLength: 1, maxLength: 64 });
const SearchIdSchema = Type.String({ description: "search for opportunities", minLength: 1, maxLength: 64 });

/** Rules of every operation of the dialect. */
const shared = { unknownMembers: "refuse", refusal: "BAD-REQUEST" } as const;
const product = Type.Object({ productId: ProductIdSchema });
const order = Type.Object({ orderId: OrderIdSchema });
const search = Type.Object({ searchId: SearchIdSchema });

/** Sensor Tasking API (STAPI) 0.1 on the tasking of the service. */
export const stapiContract = {
  landing: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi",
    summary: "Get the landing page of the Sensor Tasking API",
    access: "optional",
    request: Type.Object({}),
    response: Document("StapiRoot", "landing page with links"),
  }),
  conformance: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/conformance",
    summary: "Get the conformance classes of the Sensor Tasking API",
    access: "optional",
    request: Type.Object({}),
    response: Type.Object({ conformsTo: Type.Array(Type.String()) }, { title: "StapiConformance" }),
  }),
  api: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/api",
    summary: "Get the OpenAPI 3.0 document of the Sensor Tasking API",
    access: "optional",
    request: Type.Object({}),
    response: Document("StapiOpenApi", "OpenAPI 3.0.3 document without external references"),
    mediaType: "application/vnd.oai.openapi+json",
  }),
  products: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/products",
    summary: "List the products that the caller can order under its contracts",
    access: "user",
    request: PageQuerySchema,
    response: Document("StapiProducts", "products and links"),
    errors: ["INVALID-CURSOR"],
  }),
  product: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/products/:productId",
    summary: "Get a product",
    access: "user",
    request: product,
    response: Document("StapiProduct", "product: a dataset and a kind of tasking"),
    errors: ["DATA-NOT-AVAILABLE"],
  }),
  queryables: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/products/:productId/queryables",
    summary: "Get the properties that filters of a product may name",
    access: "user",
    request: product,
    response: Document("StapiQueryables", "JSON Schema of the properties of filters"),
    mediaType: "application/schema+json",
    errors: ["DATA-NOT-AVAILABLE"],
  }),
  orderParameters: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/products/:productId/order-parameters",
    summary: "Get the parameters of orders of a product",
    access: "user",
    request: product,
    response: Document("StapiOrderParametersSchema", "JSON Schema of order_parameters"),
    mediaType: "application/schema+json",
    errors: ["DATA-NOT-AVAILABLE"],
  }),
  searchOpportunities: defineOperation({
    ...shared,
    path: "/stapi/products/:productId/opportunities",
    summary: "Search the opportunities of a product",
    description:
      "Each opportunity has its price. With `Prefer: respond-async`, and where the search takes longer than " +
      "`Prefer: wait=seconds`, the answer is 201 with the record of the search.",
    access: "user",
    request: OpportunityRequestSchema,
    response: OpportunitiesDocument,
    mediaType: GEOJSON,
    created: { mediaType: "application/json", orDone: true },
    headers: {
      prefer: Type.String({ description: "respond-async, wait or wait=seconds", maxLength: 200 }),
    },
    errors: ["DATA-NOT-AVAILABLE", "EXTENT-TOO-LARGE", "INVALID-CURSOR", "NO-VALID-BINDING", "PROCESSING-ERROR"],
    bodyLimitBytes: BODY_LIMIT_BYTES,
    rateClass: "initiate",
  }),
  opportunities: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/products/:productId/opportunities/:searchId",
    summary: "Get the opportunities of a search that has ended",
    access: "user",
    request: Type.Object({ productId: ProductIdSchema, searchId: SearchIdSchema, ...PageQuerySchema.properties }),
    response: OpportunitiesDocument,
    mediaType: GEOJSON,
    errors: ["DATA-NOT-AVAILABLE", "INVALID-CURSOR", "NON-EXISTENT-PIPELINE", "PIPELINE-NOT-PROCESSED"],
  }),
  searches: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/searches/opportunities",
    summary: "List the searches of the caller, newest first",
    access: "user",
    request: PageQuerySchema,
    response: Document("StapiSearches", "searches and links"),
    errors: ["INVALID-CURSOR"],
  }),
  search: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/searches/opportunities/:searchId",
    summary: "Get the record of a search",
    access: "user",
    request: search,
    response: SearchDocument,
    errors: ["NON-EXISTENT-PIPELINE"],
  }),
  searchStatuses: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/searches/opportunities/:searchId/statuses",
    summary: "Get the statuses of a search",
    access: "user",
    request: search,
    response: StatusesDocument,
    errors: ["NON-EXISTENT-PIPELINE"],
  }),
  createOrder: defineOperation({
    ...shared,
    path: "/stapi/products/:productId/orders",
    summary: "Order an opportunity",
    description:
      "The price of the opportunity is held until the order ends. A repeated request with the same `Idempotency-Key` " +
      "returns the first order, and another request with that key is refused. Without a key an equal request of the " +
      "same user returns the first order.",
    access: "user",
    request: OrderRequestSchema,
    response: OrderDocument,
    created: { mediaType: GEOJSON, orDone: false },
    headers: {
      "idempotency-key": Type.String({
        description: "name of the request, in quotes or not",
        minLength: 1,
        maxLength: 128,
        pattern: "^[^\\u0000-\\u001f]*$",
      }),
    },
    errors: [
      "CONFLICT",
      "DATA-NOT-AVAILABLE",
      "EXTENT-TOO-LARGE",
      "INSUFFICIENT-CREDIT",
      "LICENSE-EXPIRED",
      "NON-EXISTENT-WINDOW",
      "USER-CREDIT-LIMIT",
    ],
    bodyLimitBytes: BODY_LIMIT_BYTES,
    rateClass: "initiate",
  }),
  productOrders: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/products/:productId/orders",
    summary: "List the orders of a product, newest first",
    access: "user",
    conditionalPermissions: READ,
    request: Type.Object({ productId: ProductIdSchema, ...PageQuerySchema.properties }),
    response: OrdersDocument,
    mediaType: GEOJSON,
    errors: ["DATA-NOT-AVAILABLE", "INVALID-CURSOR"],
  }),
  orders: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/orders",
    summary: "List orders, newest first",
    description: "The orders of /scene-tasking/order/list, wherever they were placed.",
    access: "user",
    conditionalPermissions: READ,
    request: PageQuerySchema,
    response: OrdersDocument,
    mediaType: GEOJSON,
    errors: ["INVALID-CURSOR"],
  }),
  order: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/orders/:orderId",
    summary: "Get an order",
    access: "user",
    conditionalPermissions: READ,
    request: order,
    response: OrderDocument,
    mediaType: GEOJSON,
    errors: ["NON-EXISTENT-ORDER"],
  }),
  orderStatuses: defineOperation({
    ...shared,
    method: "GET",
    path: "/stapi/orders/:orderId/statuses",
    summary: "Get the statuses of an order",
    description: "The last status leads to the delivered scenes as items of /stac.",
    access: "user",
    conditionalPermissions: READ,
    request: Type.Object({ orderId: OrderIdSchema, ...PageQuerySchema.properties }),
    response: StatusesDocument,
    errors: ["INVALID-CURSOR", "NON-EXISTENT-ORDER"],
  }),
} as const satisfies FeatureContract;
