import type { OrderRequest, PageQuery } from "@swath/contract/features/stapi/requests";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db, PipelineHandlers } from "../../platform/context.ts";
import type { PipelineService } from "../../platform/queue/pipeline-service.ts";
import type { DescribedOrder } from "../tasking/orders/described-orders.ts";
import type { OrderService } from "../tasking/orders/order-service.ts";
import { knownProducts, productNamed } from "./known-products.ts";
import { GEOJSON_TYPE, JSON_TYPE, nextLinks, orderHref, productHref, rootOf } from "./link.ts";
import { orderDocument, ordersDocument } from "./order-document.ts";
import { orderParametersDocument } from "./order-parameters.ts";
import { statusesOf } from "./order-statuses.ts";
import { placedOrder } from "./order-words.ts";
import { countOf, limitOf, sliceOf } from "./page.ts";
import { productDocument, productsDocument } from "./product-document.ts";
import { queryablesDocument } from "./queryables.ts";
import { requireFinite } from "./require-finite.ts";
import { searchHandler, type SearchDeps } from "./search-opportunities.ts";
import { SEARCH_KIND } from "./search-store.ts";
import { createSearches, type Searches, type StapiRequest } from "./searches.ts";
import { inWordsOfStapi } from "./stapi-error.ts";

type Document = Readonly<Record<string, unknown>>;

/** Tasking in the words of STAPI. Products without a contract and orders of others do not exist for a caller. */
export interface StapiService extends Searches {
  products(query: PageQuery, request: StapiRequest): Promise<Document>;
  /** @throws {ServiceError} DATA-NOT-AVAILABLE */
  product(productId: string, request: StapiRequest): Promise<Document>;
  /** @throws {ServiceError} DATA-NOT-AVAILABLE */
  queryables(productId: string, request: StapiRequest): Promise<Document>;
  /** @throws {ServiceError} DATA-NOT-AVAILABLE */
  orderParameters(productId: string, request: StapiRequest): Promise<Document>;
  /** The order and its address. @throws {ServiceError} DATA-NOT-AVAILABLE, BAD-REQUEST, and as orders of tasking */
  createOrder(order: OrderRequest, idempotencyKey: string | undefined, request: StapiRequest): Promise<PlacedDocument>;
  /** @throws {ServiceError} NON-EXISTENT-ORDER */
  order(orderId: string, request: StapiRequest): Promise<Document>;
  /** Of every product with null. */
  orders(productId: string | null, query: PageQuery, request: StapiRequest): Promise<Document>;
  /** @throws {ServiceError} NON-EXISTENT-ORDER */
  orderStatuses(orderId: string, query: PageQuery, request: StapiRequest): Promise<Document>;
  /** Runs searches, in a separate lane. */
  readonly searchHandlers: PipelineHandlers;
}

interface PlacedDocument {
  readonly document: Document;
  readonly location: string;
}

export interface StapiDeps extends SearchDeps {
  readonly db: Db;
  readonly orders: Pick<OrderService, "createForeign" | "describe" | "describeList">;
  readonly queue: Pick<PipelineService, "enqueue" | "retrieve" | "waitFor">;
  readonly retentionDays: number;
}

export function createStapiService(deps: StapiDeps): StapiService {
  const named = (productId: string, caller: Caller) => productNamed(deps, caller, productId);
  return {
    ...createSearches(deps),
    searchHandlers: new Map([[SEARCH_KIND, searchHandler(deps)]]),
    async products(query, { baseUrl, caller }) {
      const { entries, ...page } = sliceOf(await knownProducts(deps, caller), query);
      return productsDocument(entries, page, baseUrl);
    },
    product: async (productId, { baseUrl, caller }) => productDocument(await named(productId, caller), baseUrl),
    queryables: async (productId, { baseUrl, caller }) => queryablesDocument(await named(productId, caller), baseUrl),
    orderParameters: async (productId, { baseUrl, caller }) =>
      orderParametersDocument(await named(productId, caller), baseUrl),
    createOrder: (order, idempotencyKey, request) => createOrder(deps, order, idempotencyKey, request),
    order: async (orderId, { baseUrl, caller }) => orderDocument(await orderNamed(deps, caller, orderId), baseUrl),
    orders: (productId, query, request) => listOrders(deps, productId, query, request),
    orderStatuses: (orderId, query, request) => listStatuses(deps, orderId, query, request),
  };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** Addresses may hold any text; orders are named by UUIDs. */
function orderNamed({ orders }: StapiDeps, caller: Caller, orderId: string): Promise<DescribedOrder> {
  if (UUID.test(orderId)) return orders.describe(caller, orderId);
  throw new ServiceError("NON-EXISTENT-ORDER", `There is no order ${orderId}`);
}

async function createOrder(
  deps: StapiDeps,
  order: OrderRequest,
  idempotencyKey: string | undefined,
  { baseUrl, caller }: StapiRequest,
): Promise<PlacedDocument> {
  // Equal requests are known by their text.
  requireFinite(order.filter, "/filter");
  const described = await inWordsOfStapi(
    deps.orders.createForeign(caller, {
      sent: order,
      idempotencyKey,
      windowId: order.order_parameters.opportunity_id,
      async orderIn(window) {
        const product = await productNamed(deps, caller, order.productId);
        return placedOrder(product, order, window, deps.clock.now().getTime());
      },
    }),
  );
  return { document: orderDocument(described, baseUrl), location: orderHref(baseUrl, described.order.id) };
}

async function listOrders(
  deps: StapiDeps,
  productId: string | null,
  query: PageQuery,
  { baseUrl, caller }: StapiRequest,
): Promise<Document> {
  const product = productId === null ? null : await productNamed(deps, caller, productId);
  const limit = limitOf(query);
  const { orders, cursor } = await deps.orders.describeList(caller, {
    product:
      product === null
        ? null
        : {
            provider: product.provider.id,
            dataset: product.dataset.dataset,
            taskingType: product.taskingType,
          },
    cursor: countOf(query),
    limit,
  });
  const self = product === null ? `${rootOf(baseUrl)}/orders` : `${productHref(baseUrl, product.id)}/orders`;
  return ordersDocument(orders, self, { limit, next: cursor === null ? null : String(cursor) }, baseUrl);
}

async function listStatuses(
  deps: StapiDeps,
  orderId: string,
  query: PageQuery,
  { baseUrl, caller }: StapiRequest,
): Promise<Document> {
  const described = await orderNamed(deps, caller, orderId);
  const { entries, ...page } = sliceOf(statusesOf(described, baseUrl), query);
  const order = orderHref(baseUrl, described.order.id);
  const self = `${order}/statuses`;
  return {
    statuses: entries,
    links: [
      { rel: "self", href: self, type: JSON_TYPE },
      { rel: "order", href: order, type: GEOJSON_TYPE },
      ...nextLinks(self, page),
    ],
  };
}
