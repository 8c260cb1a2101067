import { CAPTURE_STATUSES, ORDER_EVENTS, ORDER_STATUSES } from "@swath/kernel/tasking/order-status";
import { MAX_RECURRENCE_COUNT, MAX_RECURRENCE_DAYS } from "@swath/kernel/tasking/recurrence";
import { Type } from "typebox";
import type { Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { PlaceOrPolygonSchema, PolygonSchema } from "../../kit/schemas/geojson.ts";
import { IntegerCursorSchema, NextIntegerCursorSchema } from "../../kit/schemas/paging.ts";
import { DatasetIdSchema } from "../../kit/schemas/scene.ts";
import { DatetimeInputSchema } from "../../kit/schemas/time.ts";
import { MAX_ORDERS, OrderOptionsSchema, PlacedOrderSchema } from "./order-parameters.ts";

const UUID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";
const Uuid = (description: string) => Type.String({ description, pattern: UUID });
const Moment = (description: string) => Type.String({ description, format: "date-time" });
const OrNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const RecurrenceSchema = Type.Object(
  {
    days: Type.Integer({
      description: "days from one order to the next",
      minimum: 1,
      maximum: MAX_RECURRENCE_DAYS,
      examples: [7],
    }),
    count: Type.Integer({ description: "orders in all", minimum: 1, maximum: MAX_RECURRENCE_COUNT, examples: [4] }),
  },
  { title: "Recurrence" },
);

const OrderStatusSchema = Type.Enum([...ORDER_STATUSES], { description: "state of the order" });

const OrderHistoryEntry = Type.Object(
  {
    time: Moment("when the order took the status"),
    status: OrderStatusSchema,
    event: OrNull(Type.Enum([...ORDER_EVENTS]), "the event; null for the placing"),
    reasonCode: OrNull(Type.String(), "code of the provider or of the service"),
    reasonText: OrNull(Type.String(), "words of the provider or of the service"),
    transactionId: OrNull(Type.String(), "entry of the credit log; null without a change of credit"),
  },
  { title: "OrderHistoryEntry" },
);

const orderMembers = {
  id: Uuid("order"),
  name: Type.String(),
  provider: Type.String(),
  dataset: Type.String(),
  geometry: { ...PolygonSchema, description: "ordered area: a point and a small polygon are enlarged" },
  originalGeometry: { ...PlaceOrPolygonSchema, description: "geometry of the request" },
  startTime: Moment("captures begin at this time or later"),
  endTime: Moment("captures end at this time or earlier"),
  createdTime: Moment("placing"),
  updatedTime: Moment("last change of the status"),
  groupId: Type.String({ description: "group of the owner" }),
  ownerId: Type.String({ description: "user who placed the order" }),
  status: OrderStatusSchema,
  taskingType: Type.String({ description: "such as flexible or assured" }),
  isCancellable: Type.Boolean({ description: "whether the owner can cancel the order now" }),
  cancellation: Type.Object(
    {
      feeShare: Type.Number({ description: "share of the price that a cancellation keeps, 0..1" }),
      cutoffHours: Type.Number({ description: "last hours before the first planned capture without cancellation" }),
      requestedTime: OrNull(Moment("when the cancellation was requested"), "null: not requested"),
    },
    { title: "OrderCancellation" },
  ),
  price: Type.Number({ description: "credits held for the order" }),
  areaKm2: Type.Number({ description: "area of `geometry`" }),
  maxCloudCover: Type.Number({ description: "a capture with more clouds does not fulfil the order, 0..1" }),
  priority: OrNull(Type.String(), "priority of the order"),
  windowId: OrNull(Type.String(), "window of the study; null for the further orders of a recurrence"),
  scheduledTime: OrNull(Moment("first planned capture"), "null: none is planned"),
  contractId: OrNull(Type.String(), "contract of the order"),
  projectName: Type.Optional(Type.String()),
  analysisId: Type.Optional(Type.String()),
  orderOptions: Type.Optional(OrderOptionsSchema),
  batchId: Type.Optional(Uuid("orders of one request of /scene-tasking/orders/create-batch")),
  recurrence: Type.Optional(RecurrenceSchema),
};

const OrderSchema = Type.Object(orderMembers, { title: "Order" });
export type Order = Static<typeof OrderSchema>;

const OrderWithHistory = Type.Object(
  { ...orderMembers, history: Type.Array(OrderHistoryEntry, { description: "oldest first" }) },
  { title: "OrderWithHistory" },
);
export type OrderWithHistory = Static<typeof OrderWithHistory>;

/** Captures that are only planned are not listed. */
const LISTED_CAPTURES = CAPTURE_STATUSES.filter((status) => status !== "SCHEDULED");

const CaptureSchema = Type.Object(
  {
    id: Uuid("capture"),
    orderId: Uuid("order"),
    createTime: Moment("first word of the provider"),
    updateTime: Moment("last change"),
    status: Type.Enum([...LISTED_CAPTURES]),
    stripId: Type.String({ description: "strip of the provider" }),
    foreignSceneTypes: Type.Array(Type.String(), { description: "products of the provider" }),
    ingestedScenes: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: "scene" }),
          ingestionId: Type.String({ description: "pipeline of the ingestion" }),
          ingestionTime: Moment("end of the ingestion"),
        },
        { title: "IngestedScene" },
      ),
      { description: "scenes of the capture, after their ingestion" },
    ),
    captureTime: Moment("when the sensor imaged or will image"),
    cloudCover: OrNull(Type.Number(), "0..1; null before the assessment"),
    coverageRatio: OrNull(Type.Number(), "imaged share of the order, 0..1; null before the assessment"),
    offNadir: OrNull(Type.Number(), "degrees; null before the assessment"),
    fulfils: OrNull(Type.Boolean(), "whether the capture meets the limits of the order; null before the assessment"),
  },
  { title: "Capture" },
);
export type Capture = Static<typeof CaptureSchema>;

const orderNaming = {
  orderId: Uuid("order"),
  dataset: Type.Optional({ ...DatasetIdSchema, description: "dataset of the order; an order of another is not found" }),
};
const forceRefresh = Type.Optional(
  Type.Boolean({ description: "asks the provider for news before the answer", default: false }),
);
const limit = (most: number) =>
  Type.Optional(Type.Integer({ description: "results of a page", minimum: 1, maximum: most, default: 50 }));

const CancelOrderRequest = Type.Object(orderNaming, { title: "CancelOrderRequest" });
export type CancelOrderRequest = Static<typeof CancelOrderRequest>;

const GetOrderRequest = Type.Object({ ...orderNaming, forceRefresh }, { title: "GetOrderRequest" });
export type GetOrderRequest = Static<typeof GetOrderRequest>;

const ListOrdersRequest = Type.Object(
  {
    cursor: Type.Optional(IntegerCursorSchema),
    dataset: Type.Optional({ ...DatasetIdSchema, description: "only orders of this dataset" }),
    batchId: Type.Optional(Uuid("only orders of this batch")),
    startTime: Type.Optional({ ...DatetimeInputSchema, description: "only orders that start at this time or later" }),
    endTime: Type.Optional({ ...DatetimeInputSchema, description: "only orders that start before this time" }),
    status: Type.Optional(Type.Enum([...ORDER_STATUSES], { description: "only orders in this state" })),
    limit: limit(200),
  },
  { title: "ListOrdersRequest" },
);
export type ListOrdersRequest = Static<typeof ListOrdersRequest>;

const OrderList = Type.Object(
  { results: Type.Array(OrderSchema), cursor: NextIntegerCursorSchema },
  { title: "OrderList" },
);
export type OrderList = Static<typeof OrderList>;

const ListCapturesRequest = Type.Object(
  { ...orderNaming, forceRefresh, cursor: Type.Optional(IntegerCursorSchema), limit: limit(200) },
  { title: "ListCapturesRequest" },
);
export type ListCapturesRequest = Static<typeof ListCapturesRequest>;

const CaptureList = Type.Object(
  { results: Type.Array(CaptureSchema), cursor: NextIntegerCursorSchema },
  { title: "CaptureList" },
);
export type CaptureList = Static<typeof CaptureList>;

const CreateOrderRequest = Type.Object(
  {
    ...PlacedOrderSchema.properties,
    idempotencyKey: Type.Optional(
      Type.String({
        description:
          "a repeated request with the same key returns the first order; without a key, an equal request does",
        minLength: 1,
        maxLength: 128,
        pattern: "^[^\\u0000-\\u001f]*$",
      }),
    ),
  },
  { title: "CreateOrderRequest" },
);
export type CreateOrderRequest = Static<typeof CreateOrderRequest>;

const { name: orderName, ...namelessMembers } = PlacedOrderSchema.properties;

const CreateBatchRequest = Type.Object(
  {
    params: Type.Array(
      Type.Object(
        { ...namelessMembers, name: Type.Optional({ ...orderName, description: "by default the name of the batch" }) },
        { title: "BatchedOrder" },
      ),
      { description: "orders, each for itself", minItems: 1, maxItems: MAX_ORDERS },
    ),
    name: Type.Optional({ ...orderName, description: "name of the orders that have none" }),
    recurrence: Type.Optional({
      ...RecurrenceSchema,
      description: "repeats the order, all or nothing; for a batch of one order only",
    }),
  },
  { title: "CreateBatchRequest" },
);
export type CreateBatchRequest = Static<typeof CreateBatchRequest>;

const CreatedBatch = Type.Object(
  {
    batchId: Uuid("orders of this request; equal requests have the same"),
    successfulOrders: Type.Array(OrderSchema, { description: "in the order of the request" }),
    failedOrders: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ description: "place in `params`, from 0" }),
          dataset: Type.String(),
          error: Type.String({ description: "error code" }),
          errorMessage: Type.String(),
        },
        { title: "FailedOrder" },
      ),
    ),
  },
  { title: "CreatedBatch" },
);
export type CreatedBatch = Static<typeof CreatedBatch>;

const REFUSALS = [
  "EXTENT-TOO-LARGE",
  "INSUFFICIENT-CREDIT",
  "LICENSE-EXPIRED",
  "NON-EXISTENT-WINDOW",
  "USER-CREDIT-LIMIT",
] as const;

const READ = ["organization.tasking.read-orders", "admin.tasking.read-orders"];
const CANCEL = ["organization.tasking.cancel-orders", "admin.tasking.cancel-orders"];
const WHO =
  "The owner, managers of the owner's group, holders of the permission in its organization and administrators; for " +
  "everybody else the order does not exist.";

/** Orders and their captures. */
export const ordersContract = {
  createOrder: defineOperation({
    path: "/scene-tasking/order/create",
    unknownMembers: "refuse",
    access: "user",
    summary: "Order captures in a window of a study",
    description:
      "The window must be of the caller's group and valid, and its study must have asked for the same. The price of " +
      "the window is held until the order ends. An equal request of the same user returns the same order.",
    request: CreateOrderRequest,
    response: OrderSchema,
    errors: [...REFUSALS, "CONFLICT"],
    rateClass: "initiate",
  }),
  createBatch: defineOperation({
    path: "/scene-tasking/orders/create-batch",
    unknownMembers: "refuse",
    access: "user",
    summary: "Place several orders, or one that repeats",
    description:
      "Each order is placed for itself: the answer names those that fail. With `recurrence` one order is placed " +
      "several times, all or nothing. The further ones have the price of the first and any pass within their interval.",
    request: CreateBatchRequest,
    response: CreatedBatch,
    rateClass: "initiate",
    work: { maps: ({ params, recurrence }) => params.length * (recurrence?.count ?? 1) },
  }),
  cancelOrder: defineOperation({
    path: "/scene-tasking/order/cancel",
    unknownMembers: "refuse",
    access: "user",
    conditionalPermissions: CANCEL,
    summary: "Cancel an order",
    description: `Asks the provider where the provider has the order. The order is CANCELLED when the provider confirms. ${WHO}`,
    request: CancelOrderRequest,
    response: OrderSchema,
    errors: ["NON-EXISTENT-ORDER", "ILLEGAL-STATE-TRANSITION"],
  }),
  getOrder: defineOperation({
    path: "/scene-tasking/order/get",
    unknownMembers: "refuse",
    access: "user",
    conditionalPermissions: READ,
    summary: "Get an order and its history",
    description: WHO,
    request: GetOrderRequest,
    response: OrderWithHistory,
    errors: ["NON-EXISTENT-ORDER"],
  }),
  listOrders: defineOperation({
    path: "/scene-tasking/order/list",
    access: "user",
    conditionalPermissions: READ,
    summary: "List orders, newest first",
    description: "Own orders, and those that the caller looks after as with /scene-tasking/order/get.",
    request: ListOrdersRequest,
    response: OrderList,
  }),
  listCaptures: defineOperation({
    path: "/scene-tasking/captures/list",
    access: "user",
    conditionalPermissions: READ,
    summary: "List the captures of an order, oldest first",
    description: `A capture that is only planned is not listed. ${WHO}`,
    request: ListCapturesRequest,
    response: CaptureList,
    errors: ["NON-EXISTENT-ORDER"],
  }),
} as const satisfies FeatureContract;
