import { Type } from "typebox";
import { defineOperation } from "../../kit/operation.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";
import { DatetimeInputSchema } from "../../kit/schemas/time.ts";
import { AlgorithmName, MomentSchema, ProjectName } from "./schemas.ts";

const ProductId = Type.String({
  description: "product, a segment of its permission",
  pattern: "^[a-z0-9][a-z0-9_-]{0,63}$",
  examples: ["manufacturing-index"],
});
const Text = (maxLength: number) => Type.Optional(Type.String({ maxLength, default: "" }));
const Month = Type.String({
  description: "month, YYYY-MM",
  pattern: "^\\d{4}-(0[1-9]|1[0-2])$",
  examples: ["2024-01"],
});
const Input = Type.Object({
  project: ProjectName,
  algorithm: AlgorithmName,
  weight: Type.Number({ description: "negative where more is worse", minimum: -1000, maximum: 1000 }),
});
const Plan = Type.Object({
  planId: Type.String({ minLength: 1, maxLength: 64 }),
  name: Type.String({ maxLength: 200 }),
  delivery: Type.Enum(["api", "csv", "feed"]),
  frequency: Type.String({ maxLength: 100 }),
  historyYears: Type.Number({ minimum: 0, maximum: 100 }),
  creditsPerMonth: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
  price: Type.Optional(
    Type.Object({
      amount: Type.Number({ minimum: 0, maximum: 1e9 }),
      currency: Type.String({ pattern: "^[A-Z]{3}$" }),
    }),
  ),
  seats: Type.Integer({ minimum: 0, maximum: 1e6 }),
  trialDays: Type.Integer({ minimum: 0, maximum: 3650 }),
});
const Window = Type.Object({ from: Month, to: Month });

/** A product as administrators define it. */
export const ProductDefinition = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    shortDescription: Text(500),
    description: Text(5000),
    methodology: Text(5000),
    category: Text(100),
    region: Text(100),
    frequency: Text(100),
    unit: Text(40),
    latencyDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650, default: 0 })),
    nextRelease: Text(100),
    status: Type.Optional(Type.Enum(["active", "beta", "retired"], { default: "active" })),
    calibration: Text(5000),
    benchmarks: Text(5000),
    revisionsPolicy: Text(5000),
    inputs: Type.Array(Input, { minItems: 1, maxItems: 50 }),
    formula: Type.Enum(["rebased-100", "pmi-50"], {
      description: "z: the weighted mean of z-scores. rebased-100: 100 + 10 (z - z of the base). pmi-50: 50 + 10 z",
    }),
    base: Type.Optional({ ...Window, description: "months that z-scores and the base refer to; default: all" }),
    sample: Type.Optional({ ...Window, description: "months that everybody reads" }),
    plans: Type.Optional(Type.Array(Plan, { maxItems: 20 })),
    contact: Text(500),
    licence: Text(500),
    attribution: Text(500),
  },
  { title: "ProductDefinition" },
);
export type ProductDefinition = Type.Static<typeof ProductDefinition>;

export const defineProduct = defineOperation({
  path: "/datacube/product/define",
  unknownMembers: "refuse",
  summary: "Define a product of the datacube, or a revision of one",
  description: "For administrators. Reads as of an earlier moment use the definition of that moment.",
  permissions: ["admin.datacube.products"],
  request: Type.Object({ productId: ProductId, definition: ProductDefinition }),
  response: Type.Object({ productId: Type.String(), revision: Type.Integer({ minimum: 1 }) }),
});

export const getProductCatalogue = defineOperation({
  path: "/datacube/product-catalogue/get",
  summary: "List the products of the datacube",
  permissions: ["datacube.products"],
  request: Type.Object({
    category: Type.Optional(Type.String({ maxLength: 100 })),
    region: Type.Optional(Type.String({ maxLength: 100 })),
    cursor: Type.Optional(CursorSchema),
  }),
  response: Type.Object({
    results: Type.Array(
      Type.Object(
        {
          productId: Type.String(),
          name: Type.String(),
          shortDescription: Type.String(),
          category: Type.String(),
          region: Type.String(),
          frequency: Type.String(),
          unit: Type.String(),
          historyStart: Type.Union([Month, Type.Null()]),
          latencyDays: Type.Integer({ minimum: 0 }),
          nextRelease: Type.String(),
          status: Type.String(),
          entitled: Type.Boolean({ description: "whether the caller reads more than the sample" }),
          sampleAvailable: Type.Boolean(),
        },
        { title: "ProductSummary" },
      ),
    ),
    cursor: NextCursorSchema,
  }),
  errors: ["INVALID-CURSOR"],
});

const SeriesValue = Type.Object({
  period: Month,
  value: Type.Number(),
  low: Type.Number({ description: "value less one standard error of the inputs" }),
  high: Type.Number({ description: "value plus one standard error of the inputs" }),
  firstSeen: MomentSchema,
  version: Type.String({ description: "revision of the definition" }),
});

export const getProduct = defineOperation({
  path: "/datacube/product/get",
  summary: "Get a product of the datacube with its monthly series",
  description: "Without `datacube.product.<id>` the series has the months of the sample only.",
  permissions: ["datacube.products"],
  conditionalPermissions: ["datacube.product.<id>"],
  request: Type.Object({
    productId: ProductId,
    startDatetime: Type.Optional(DatetimeInputSchema),
    endDatetime: Type.Optional(DatetimeInputSchema),
    asOf: Type.Optional(DatetimeInputSchema),
    includeComponents: Type.Optional(Type.Boolean({ default: false })),
  }),
  response: Type.Object(
    {
      productId: Type.String(),
      name: Type.String(),
      description: Type.String(),
      methodology: Type.String(),
      inputs: Type.Array(Input),
      calibration: Type.String(),
      benchmarks: Type.String(),
      revisionsPolicy: Type.String(),
      series: Type.Array(SeriesValue),
      components: Type.Optional(
        Type.Array(
          Type.Object({
            project: Type.String(),
            algorithm: Type.String(),
            values: Type.Array(Type.Object({ period: Month, value: Type.Number() })),
          }),
        ),
      ),
      entitled: Type.Boolean(),
      asOf: MomentSchema,
    },
    { title: "DatacubeProduct" },
  ),
  errors: ["DATA-NOT-AVAILABLE"],
});

export const getSalesInfo = defineOperation({
  path: "/datacube/product/sales-info/get",
  summary: "Get the plans, the sample and the licence of a product",
  permissions: ["datacube.products"],
  request: Type.Object({ productId: ProductId }),
  response: Type.Object({
    productId: Type.String(),
    plans: Type.Array(Plan),
    sample: Type.Union([Window, Type.Null()]),
    contact: Type.String(),
    licence: Type.String(),
    attribution: Type.String(),
  }),
  errors: ["DATA-NOT-AVAILABLE"],
});
