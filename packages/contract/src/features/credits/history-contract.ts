import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineFileRoute } from "../../kit/file-route.ts";
import { defineOperation } from "../../kit/operation.ts";
import { MultiPolygonSchema } from "../../kit/schemas/geojson.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";
import { StoreTileSchema } from "../../kit/schemas/tile.ts";
import { DatetimeInputSchema, DatetimeSchema, ExpiresSchema } from "../../kit/schemas/time.ts";

export const TRANSACTION_KINDS = ["credit.allocate", "credit.preallocate", "credit.return", "credit.update"] as const;
export type TransactionKind = (typeof TRANSACTION_KINDS)[number];

// Values are looked up as they are: without control characters, which no identifier has.
const Id = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 128, pattern: "^[^\\u0000-\\u001f]*$" });
const Limit = Type.Optional(
  Type.Integer({ description: "results of a page", minimum: 1, maximum: 1000, default: 100 }),
);

const ListAllocationsRequest = Type.Object(
  {
    groupId: Type.Optional(
      Id("another group than the group of the caller; needs admin.credits.list-group-allocations"),
    ),
    provider: Type.Optional(Type.Array(Id("provider"), { description: "only of these providers", maxItems: 100 })),
    dataset: Type.Optional(Type.Array(Id("dataset"), { description: "only of these datasets", maxItems: 100 })),
    startDatetime: Type.Optional({ ...DatetimeInputSchema, description: "created at this time or later" }),
    endDatetime: Type.Optional({ ...DatetimeInputSchema, description: "created before this time" }),
    sceneIds: Type.Optional(Type.Array(Id("scene"), { description: "only of these scenes", maxItems: 1000 })),
    includeGeometry: Type.Optional(
      Type.Boolean({ description: "with the geometry of each; a page then ends at 4 MiB", default: false }),
    ),
    limit: Limit,
    cursor: Type.Optional(CursorSchema),
  },
  { title: "ListAllocationsRequest" },
);

const transactionFilters = {
  kind: Type.Optional(Type.Enum([...TRANSACTION_KINDS], { description: "only of this kind" })),
  startTime: Type.Optional({ ...DatetimeInputSchema, description: "logged at this time or later" }),
  endTime: Type.Optional({ ...DatetimeInputSchema, description: "logged before this time" }),
  dataset: Type.Optional(Id("only of this dataset")),
  provider: Type.Optional(Id("only of this provider")),
  orderId: Type.Optional(Id("only of this order")),
  sceneIds: Type.Optional(Type.Array(Id("scene"), { description: "only of these scenes", maxItems: 1000 })),
  limit: Limit,
  cursor: Type.Optional(CursorSchema),
};

const ListGroupTransactionsRequest = Type.Object(
  {
    ...transactionFilters,
    groupId: Type.Optional(
      Id("a group of the organization of the caller; needs organization.credits.list-group-transactions"),
    ),
  },
  { title: "ListGroupTransactionsRequest" },
);

const ListUserTransactionsRequest = Type.Object(
  { ...transactionFilters, groupId: Type.Optional(Id("only transactions of this group")) },
  { title: "ListUserTransactionsRequest" },
);

const Allocation = Type.Object(
  {
    id: Type.String(),
    creationTime: DatetimeSchema,
    groupId: Type.String(),
    provider: Type.String(),
    dataset: Type.String(),
    sceneId: Type.String(),
    mapType: Type.Optional(Type.String({ description: "priced map type" })),
    tiles: Type.Optional(Type.Array(StoreTileSchema, { description: "of datasets sold by store tiles" })),
    geometry: Type.Optional({ ...MultiPolygonSchema, description: "the area inside the scene, with includeGeometry" }),
  },
  { title: "Allocation", description: "An area of a scene that a group holds" },
);

const Transaction = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum([...TRANSACTION_KINDS]),
    time: DatetimeSchema,
    userId: Type.String(),
    groupId: Type.String(),
    areaKm2: Type.Number({ description: "added area; negative when a hold was larger, km2" }),
    credit: Type.Number({ description: "amount taken from the balance; negative for a return, credits" }),
    provider: Type.Optional(Type.String()),
    dataset: Type.Optional(Type.String()),
    sceneId: Type.Optional(Type.String()),
    mapType: Type.Optional(Type.String()),
    tiles: Type.Optional(Type.Array(StoreTileSchema)),
    allocations: Type.Optional(Type.Array(Type.String(), { description: "ids of the allocations" })),
    orderReferenceId: Type.Optional(
      Type.String({ description: "order, or pipeline of a release; absent for credit.allocate" }),
    ),
  },
  { title: "Transaction", description: "An entry of the log of credits" },
);

const AllocationList = Type.Object({ results: Type.Array(Allocation), cursor: NextCursorSchema });
const TransactionList = Type.Object({ results: Type.Array(Transaction), cursor: NextCursorSchema });

const UsageExportRequest = Type.Object(
  {
    groupId: Type.Optional(Id("a group of the organization of the caller; needs organization.credits.export-usage")),
    startTime: Type.Optional({
      ...DatetimeInputSchema,
      description: "logged at this time or later; by default from the first entry",
    }),
    endTime: Type.Optional({ ...DatetimeInputSchema, description: "logged before this time; by default now" }),
  },
  { title: "UsageExportRequest" },
);

const UsageExport = Type.Object({
  url: Type.String({ description: "the table as CSV; accepts a plain GET until it expires", format: "uri" }),
  expires: { ...DatetimeSchema, description: "expiry of the address" },
});

export type Allocation = Type.Static<typeof Allocation>;
export type AllocationList = Type.Static<typeof AllocationList>;
export type ListAllocationsRequest = Type.Static<typeof ListAllocationsRequest>;
export type ListGroupTransactionsRequest = Type.Static<typeof ListGroupTransactionsRequest>;
export type ListUserTransactionsRequest = Type.Static<typeof ListUserTransactionsRequest>;
export type Transaction = Type.Static<typeof Transaction>;
export type TransactionList = Type.Static<typeof TransactionList>;
export type UsageExportRequest = Type.Static<typeof UsageExportRequest>;
export type UsageExport = Type.Static<typeof UsageExport>;

/** Allocations and transactions of groups and users. */
export const creditHistoryContract = {
  listAllocations: defineOperation({
    path: "/credits/group/list-allocations",
    access: "user",
    permissions: ["credits.list-group-allocations"],
    conditionalPermissions: ["admin.credits.list-group-allocations"],
    dynamicPermissions: ({ groupId }) => (groupId === undefined ? [] : ["admin.credits.list-group-allocations"]),
    summary: "List the areas that a group holds, newest first",
    request: ListAllocationsRequest,
    response: AllocationList,
    errors: ["INVALID-CURSOR"],
  }),
  listGroupTransactions: defineOperation({
    path: "/credits/group/list-transactions",
    access: "user",
    permissions: ["credits.list-group-transactions"],
    conditionalPermissions: ["organization.credits.list-group-transactions"],
    dynamicPermissions: ({ groupId }) =>
      groupId === undefined ? [] : ["organization.credits.list-group-transactions"],
    summary: "List the credit log of a group, newest first",
    request: ListGroupTransactionsRequest,
    response: TransactionList,
    errors: ["INVALID-CURSOR"],
  }),
  listUserTransactions: defineOperation({
    path: "/credits/user/list-transactions",
    access: "user",
    permissions: ["credits.list-user-transactions"],
    summary: "List the entries of the caller in the credit log, newest first",
    request: ListUserTransactionsRequest,
    response: TransactionList,
    errors: ["INVALID-CURSOR"],
  }),
  exportUsage: defineOperation({
    path: "/credits/usage/export",
    access: "user",
    permissions: ["credits.export-usage"],
    conditionalPermissions: ["organization.credits.export-usage"],
    dynamicPermissions: ({ groupId }) => (groupId === undefined ? [] : ["organization.credits.export-usage"]),
    summary: "Export the credit log of a group over a period as CSV, oldest first",
    description: "Returns the address of a file that the service writes while the client reads it.",
    request: UsageExportRequest,
    response: UsageExport,
  }),
  usageFile: defineFileRoute({
    path: "/credits/usage/files/:fileName",
    access: "public",
    summary: "Download the credit log of a group as CSV",
    description: "The signature of the address grants reading. /credits/usage/export returns addresses.",
    params: Type.Object({ fileName: Type.Literal("usage.csv") }),
    query: Type.Object({
      groupId: Id("group"),
      userId: Id("requesting user"),
      from: Type.Integer({
        description: "milliseconds since 1970, inclusive",
        minimum: 0,
        maximum: 253_402_300_800_000,
      }),
      to: Type.Integer({ description: "milliseconds since 1970, exclusive", minimum: 0, maximum: 253_402_300_800_000 }),
      expires: ExpiresSchema,
      signature: Type.String({ maxLength: 64 }),
    }),
    mediaTypes: ["text/csv"],
    statuses: { 200: "the table", 401: "wrong signature, expired address, or a blocked user" },
    errors: ["NOT-AUTHORIZED"],
    rateClass: "read",
  }),
} as const satisfies FeatureContract;
