import type {
  CancelOrderRequest,
  Capture,
  CaptureList,
  CreateBatchRequest,
  CreatedBatch,
  CreateOrderRequest,
  GetOrderRequest,
  ListCapturesRequest,
  ListOrdersRequest,
  Order,
  OrderList,
  OrderWithHistory,
} from "@swath/contract/features/tasking/order-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { isTerminal } from "@swath/kernel/tasking/order-state";
import type { Caller } from "../../../platform/context.ts";
import { pageOf } from "../../../platform/page-of.ts";
import type { CreditHolds } from "../../credits/holds.ts";
import type { UserService } from "../../users/service.ts";
import { cancelOrder, type CancelDeps } from "./cancel-order.ts";
import { captureStatusesOf, selectCaptures, type CaptureRow } from "./capture-store.ts";
import { createBatch } from "./create-batch.ts";
import { createForeignOrder, type ForeignOrder } from "./create-foreign-order.ts";
import { createOrder, type CreateDeps } from "./create-order.ts";
import { describeOrders, type DescribedOrder } from "./described-orders.ts";
import { historyAnswer, orderAnswer } from "./order-answer.ts";
import { orderFilter } from "./order-filter.ts";
import { readHistory } from "./order-history-store.ts";
import type { OrderRow } from "./order-store.ts";
import { orderViewer, type OrderRight } from "./order-viewer.ts";
import { readVisibleOrder, selectVisibleOrders, type OrderFilter } from "./visible-order-store.ts";

export interface OrderServiceDeps extends CreateDeps, CancelDeps {
  readonly credits: Pick<CreditHolds, "preallocate" | "updateHold" | "returnHold">;
  readonly users: Pick<UserService, "groupsInCare">;
  /** Asks the provider for news of an open order, and for its cancellation where that is wanted. */
  readonly refresh: (orderId: string, signal: AbortSignal) => Promise<void>;
}

/** Orders as their owners see them. */
export interface OrderService {
  create(caller: Caller, request: CreateOrderRequest): Promise<Order>;
  createBatch(caller: Caller, request: CreateBatchRequest): Promise<CreatedBatch>;
  cancel(caller: Caller, request: CancelOrderRequest, signal: AbortSignal): Promise<Order>;
  get(caller: Caller, request: GetOrderRequest, signal: AbortSignal): Promise<OrderWithHistory>;
  list(caller: Caller, request: ListOrdersRequest): Promise<OrderList>;
  listCaptures(caller: Caller, request: ListCapturesRequest, signal: AbortSignal): Promise<CaptureList>;
  /** Places the order of a dialect. */
  createForeign(caller: Caller, order: ForeignOrder): Promise<DescribedOrder>;
  /** @throws {ServiceError} NON-EXISTENT-ORDER */
  describe(caller: Caller, orderId: string): Promise<DescribedOrder>;
  /** A page of the orders of `list`, as a dialect tells them. */
  describeList(caller: Caller, page: DescribedPage): Promise<DescribedList>;
}

/** A page of orders, newest first. */
interface DescribedPage {
  /** Null: of every product. */
  readonly product: Pick<Order, "provider" | "dataset" | "taskingType"> | null;
  readonly cursor: number | null;
  readonly limit: number;
}

interface DescribedList {
  readonly orders: readonly DescribedOrder[];
  readonly cursor: number | null;
}

const PAGE_SIZE = 50;

export function createOrderService(deps: OrderServiceDeps): OrderService {
  return {
    create: async (caller, request) => answer(deps, await createOrder(deps, caller, request), request.dataset),
    async createBatch(caller, request) {
      const { batchId, placed, failedOrders } = await createBatch(deps, caller, request);
      return { batchId, successfulOrders: await answers(deps, placed), failedOrders: [...failedOrders] };
    },
    async cancel(caller, request, signal) {
      const { id } = await visibleOrder(deps, caller, "cancel-orders", request);
      await cancelOrder(deps, id);
      const order = await refreshed(deps, caller, "cancel-orders", request, signal);
      return answer(deps, order, request.dataset);
    },
    async get(caller, request, signal) {
      const order = await orderOf(deps, caller, request, signal);
      const history = historyAnswer(await readHistory(deps.db, order.id));
      return { ...(await answer(deps, order, request.dataset)), history };
    },
    list: (caller, request) => listOrders(deps, caller, request),
    createForeign: async (caller, order) => described(deps, await createForeignOrder(deps, caller, order)),
    async describe(caller, orderId) {
      return described(deps, await visibleOrder(deps, caller, "read-orders", { orderId }));
    },
    describeList: (caller, page) => describeList(deps, caller, page),
    async listCaptures(caller, request, signal) {
      const { id } = await orderOf(deps, caller, request, signal);
      const limit = request.limit ?? PAGE_SIZE;
      const rows = await selectCaptures(deps.db, id, { after: request.cursor ?? null, limit: limit + 1 });
      return pageOf(rows, limit, captureAnswer, ({ serial }) => serial);
    },
  };
}

async function listOrders(deps: OrderServiceDeps, caller: Caller, request: ListOrdersRequest): Promise<OrderList> {
  const place = { cursor: request.cursor ?? null, limit: request.limit ?? PAGE_SIZE };
  const page = await visiblePage(deps, caller, orderFilter(deps.catalog, request), place);
  return { results: await answers(deps, page.results, request.dataset), cursor: page.cursor };
}

async function describeList(
  deps: OrderServiceDeps,
  caller: Caller,
  { product, ...place }: DescribedPage,
): Promise<DescribedList> {
  const everything = { datasets: null, batchId: null, fromMs: null, toMs: null, status: null, taskingType: null };
  const filter =
    product === null ? everything : { ...everything, datasets: [product], taskingType: product.taskingType };
  const { results, cursor } = await visiblePage(deps, caller, filter, place);
  return { orders: await describeOrders(deps.db, results, await answers(deps, results)), cursor };
}

async function described(deps: OrderServiceDeps, row: OrderRow): Promise<DescribedOrder> {
  const [only] = await describeOrders(deps.db, [row], await answers(deps, [row]));
  if (only === undefined) throw new Error("an order has a description");
  return only;
}

async function visiblePage(
  deps: OrderServiceDeps,
  caller: Caller,
  filter: OrderFilter,
  { cursor, limit }: { readonly cursor: number | null; readonly limit: number },
) {
  const viewer = await orderViewer(deps.users, caller, "read-orders");
  const rows = await selectVisibleOrders(deps.db, viewer, filter, { before: cursor, limit: limit + 1 });
  return pageOf(
    rows,
    limit,
    (row) => row,
    ({ serial }) => serial,
  );
}

/** @throws {ServiceError} NON-EXISTENT-ORDER alike for orders out of reach, of other datasets and unknown ones */
async function visibleOrder(
  { db, catalog, users }: OrderServiceDeps,
  caller: Caller,
  right: OrderRight,
  { orderId, dataset }: CancelOrderRequest,
): Promise<OrderRow> {
  const order = await readVisibleOrder(db, await orderViewer(users, caller, right), orderId);
  if (order !== null && (dataset === undefined || isNamed(order, dataset))) return order;
  throw new ServiceError("NON-EXISTENT-ORDER", `There is no order ${orderId}`);

  function isNamed(row: OrderRow, name: string): boolean {
    return row.dataset === (catalog.findDataset(row.provider, name)?.dataset.dataset ?? name);
  }
}

async function refreshed(
  deps: OrderServiceDeps,
  caller: Caller,
  right: OrderRight,
  request: CancelOrderRequest,
  signal: AbortSignal,
): Promise<OrderRow> {
  const order = await visibleOrder(deps, caller, right, request);
  if (isTerminal(order.status)) return order;
  await deps.refresh(order.id, signal);
  return visibleOrder(deps, caller, right, request);
}

function orderOf(
  deps: OrderServiceDeps,
  caller: Caller,
  request: GetOrderRequest,
  signal: AbortSignal,
): Promise<OrderRow> {
  if (request.forceRefresh === true) return refreshed(deps, caller, "read-orders", request, signal);
  return visibleOrder(deps, caller, "read-orders", request);
}

async function answer(deps: OrderServiceDeps, order: OrderRow, dataset?: string): Promise<Order> {
  const [only] = await answers(deps, [order], dataset);
  if (only === undefined) throw new Error("an order has an answer");
  return only;
}

async function answers(
  { db, presentOf }: OrderServiceDeps,
  orders: readonly OrderRow[],
  dataset?: string,
): Promise<Order[]> {
  const statuses = await captureStatusesOf(
    db,
    orders.map(({ id }) => id),
  );
  return orders.map((order) =>
    orderAnswer(order, { nowMs: presentOf(order), captureStatuses: statuses.get(order.id) ?? [], dataset }),
  );
}

function captureAnswer(row: CaptureRow): Capture {
  return {
    id: row.id,
    orderId: row.order_id,
    createTime: row.created_at.toISOString(),
    updateTime: row.updated_at.toISOString(),
    status: row.status as Capture["status"],
    stripId: row.strip_id,
    foreignSceneTypes: [...row.foreign_scene_types],
    ingestedScenes: JSON.parse(row.ingested_scenes),
    captureTime: row.captured_at.toISOString(),
    cloudCover: row.cloud_cover,
    coverageRatio: row.coverage_ratio,
    offNadir: row.off_nadir_deg,
    fulfils: row.fulfils,
  };
}
