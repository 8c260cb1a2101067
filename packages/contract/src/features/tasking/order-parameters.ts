import { ORDER_PRIORITIES } from "@swath/kernel/tasking/order-priority";
import { Type, type Static } from "typebox";
import { PlaceOrPolygonSchema } from "../../kit/schemas/geojson.ts";
import { ProviderIdSchema } from "../../kit/schemas/scene.ts";
import { DatetimeInputSchema } from "../../kit/schemas/time.ts";
import { contractOptionMembers } from "./contract-options.ts";

/** No control characters, and something beside spaces. */
const NAMED = "^[^\\u0000-\\u001f]*[^\\s\\u0000-\\u001f][^\\u0000-\\u001f]*$";
const Name = (description: string) => Type.String({ description, minLength: 1, maxLength: 200, pattern: NAMED });

/** Wishes beside place, time and priority. The contract of the order decides which values are allowed. */
export const OrderOptionsSchema = Type.Object(
  {
    provider: Type.Optional({ ...ProviderIdSchema, description: "provider of the dataset" }),
    ...contractOptionMembers,
    maxCloudCover: Type.Optional(
      Type.Number({
        description: "a capture with more clouds does not fulfil the order; optical datasets only; 0.2 unless given",
        minimum: 0,
        maximum: 1,
      }),
    ),
  },
  { title: "OrderOptions" },
);
export type OrderOptions = Static<typeof OrderOptionsSchema>;

/** Members of every request that describes an order: studies, credit checks and orders. */
const orderParameterMembers = {
  provider: Type.Optional({
    ...ProviderIdSchema,
    description: "provider of the dataset; needed where several providers have one of this name",
  }),
  dataset: Type.String({
    title: "TaskedDatasetId",
    description: "dataset with taskingInfo",
    minLength: 1,
    maxLength: 128,
    examples: ["spotlight"],
  }),
  name: { ...Name("name of the order"), examples: ["harbour in March"] },
  geometry: {
    ...PlaceOrPolygonSchema,
    description:
      "place or area. A point becomes a square, and a small polygon grows, to the least area of the dataset, " +
      "which is charged. A polygon has fewer than 250 corners and no holes",
  },
  projectName: Type.Optional(Name("project that the order belongs to")),
  analysisId: Type.Optional(
    Type.String({ description: "analysis that the order belongs to", minLength: 1, maxLength: 64, pattern: NAMED }),
  ),
  priority: Type.Optional(
    Type.Enum([...ORDER_PRIORITIES], {
      description: "one of the priorities of the dataset; by default its most patient one",
    }),
  ),
  orderOptions: Type.Optional(OrderOptionsSchema),
  startTime: Type.Optional({ ...DatetimeInputSchema, description: "captures begin at this time or later" }),
  endTime: Type.Optional({ ...DatetimeInputSchema, description: "captures end at this time or earlier" }),
  isFeasibility: Type.Optional(
    Type.Boolean({ description: "true in studies, false in orders; the other value is refused" }),
  ),
} as const;

export const OrderParametersSchema = Type.Object(orderParameterMembers, { title: "OrderParameters" });
export type OrderParameters = Static<typeof OrderParametersSchema>;

/** Identifier of a window of a feasibility study. */
export const WindowIdSchema = Type.String({
  title: "WindowId",
  description: "window of a feasibility study of the group",
  minLength: 1,
  maxLength: 64,
  pattern: NAMED,
});

/** Body of an order and of a credit check. */
export const PlacedOrderSchema = Type.Object(
  { ...orderParameterMembers, windowId: WindowIdSchema },
  { title: "PlacedOrder" },
);
export type PlacedOrder = Static<typeof PlacedOrderSchema>;

/** Orders or studies of one request. */
export const MAX_ORDERS = 20;
