import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { GEOJSON_BODY_LIMIT_BYTES, defineOperation } from "../../kit/operation.ts";
import { ExtentSchema, MultiPolygonSchema } from "../../kit/schemas/geojson.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";
import { DatetimeInputSchema, DatetimeSchema } from "../../kit/schemas/time.ts";

/** Micro-credits of all groups together must stay exact numbers. */
const MAX_CREDITS = 1_000_000_000;

const Id = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 128, pattern: "^[^\\u0000-\\u001f]*$" });
const Tier = Type.String({
  title: "CreditsTier",
  description: "name of a price list",
  minLength: 1,
  maxLength: 64,
  pattern: "^[A-Za-z0-9._-]+$",
});
const Limit = Type.Optional(
  Type.Integer({ description: "results of a page", minimum: 1, maximum: 1000, default: 100 }),
);
const Credits = (description: string) => Type.Number({ description: `${description}, credits` });
const OrNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const SetCreditLimitRequest = Type.Object(
  {
    userId: Id("user; a user of another group also needs admin.users.manage"),
    creditLimit: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: MAX_CREDITS }), Type.Null()], {
        description:
          "limit of the total spending of the user, credits; null or omitted: the credit of the group alone limits",
      }),
    ),
    groupId: Type.Optional(
      Id(
        "group whose credit the limit concerns, such as the group that pays for tasking; by default the " +
          "paying group",
      ),
    ),
  },
  { title: "SetCreditLimitRequest" },
);

const GrantRequest = Type.Object(
  {
    groupId: Id("group"),
    credit: Type.Number({
      description:
        "added to the balance of the group; a negative grant corrects and takes at most the remaining " +
        "credit, credits",
      minimum: -MAX_CREDITS,
      maximum: MAX_CREDITS,
    }),
    note: Type.String({
      description: "note",
      minLength: 1,
      maxLength: 1000,
      pattern: "^[^\\u0000-\\u0008\\u000b-\\u001f]*$",
    }),
    idempotencyKey: Type.Optional(Id("a repeated key has no second effect")),
  },
  { title: "GrantRequest" },
);

const Grant = Type.Object(
  {
    id: Type.String(),
    groupId: Type.String(),
    credit: Credits("added amount, negative for a correction"),
    note: Type.String(),
    grantedBy: OrNull(Type.String(), "user; null for the service itself"),
    time: DatetimeSchema,
  },
  { title: "Grant" },
);

const GrantAnswer = Type.Object({ ...Grant.properties, remainingCredit: Credits("remaining credit of the group") });

const ListGrantsRequest = Type.Object(
  {
    groupId: Type.Optional(Id("only of this group")),
    limit: Limit,
    cursor: Type.Optional(CursorSchema),
  },
  { title: "ListGrantsRequest" },
);

const PriceRule = Type.Object(
  {
    id: Type.String(),
    provider: OrNull(Type.String(), "null: all"),
    dataset: OrNull(Type.String(), "null: all"),
    mapType: OrNull(Type.String(), "map type whose price adds to the scene; null: price of the scene"),
    groupId: OrNull(Type.String(), "group that pays; null: all"),
    creditsTier: OrNull(Type.String(), "null: all"),
    creditsPerKm2: Credits("price of a square kilometre"),
    minAreaKm2: Type.Number({ description: "least charged area of the first allocation of a scene, km2" }),
    area: OrNull(MultiPolygonSchema, "the rule makes only this area free; null: it prices the whole scene"),
    validFrom: OrNull(DatetimeSchema, "null: unlimited"),
    validUntil: OrNull(DatetimeSchema, "null: open"),
    createdBy: OrNull(Type.String(), "user; null for the service itself"),
  },
  {
    title: "PriceRule",
    description: "The most specific rule applies: group before dataset before provider before tier",
  },
);

const ListPriceRulesRequest = Type.Object(
  {
    provider: Type.Optional(Id("only rules of this provider")),
    dataset: Type.Optional(Id("only rules of this dataset")),
    mapType: Type.Optional(Id("only rules of this map type")),
    groupId: Type.Optional(Id("only rules of this group")),
    creditsTier: Type.Optional(Tier),
    includeEnded: Type.Optional(Type.Boolean({ description: "include ended rules", default: false })),
    limit: Limit,
    cursor: Type.Optional(CursorSchema),
  },
  { title: "ListPriceRulesRequest" },
);

const CreatePriceRuleRequest = Type.Object(
  {
    provider: Type.Optional(Id("default: all")),
    dataset: Type.Optional(Id("default: all; needs its provider")),
    mapType: Type.Optional(Id("price of this map type, in addition to the scene")),
    groupId: Type.Optional(Id("price of this paying group; default: all")),
    creditsTier: Type.Optional(Tier),
    creditsPerKm2: Type.Number({ description: "credits; 0 makes it free", minimum: 0, maximum: 1_000_000 }),
    minAreaKm2: Type.Optional(
      Type.Number({
        description: "least charged area of the first allocation of a scene",
        minimum: 0,
        maximum: 1_000_000,
        default: 0,
      }),
    ),
    area: Type.Optional({
      ...ExtentSchema,
      description: "the rule makes only this area free; creditsPerKm2 must be 0",
    }),
    validFrom: Type.Optional({ ...DatetimeInputSchema, description: "start, not before now; by default now" }),
    validUntil: Type.Optional({ ...DatetimeInputSchema, description: "end; by default open" }),
  },
  { title: "CreatePriceRuleRequest" },
);

const EndPriceRuleRequest = Type.Object(
  {
    id: Id("rule"),
    validUntil: Type.Optional({ ...DatetimeInputSchema, description: "start, not before now; by default now" }),
  },
  { title: "EndPriceRuleRequest" },
);

export type SetCreditLimitRequest = Type.Static<typeof SetCreditLimitRequest>;
export type GrantRequest = Type.Static<typeof GrantRequest>;
export type Grant = Type.Static<typeof Grant>;
export type GrantAnswer = Type.Static<typeof GrantAnswer>;
export type ListGrantsRequest = Type.Static<typeof ListGrantsRequest>;
export type PriceRuleAnswer = Omit<Type.Static<typeof PriceRule>, "area"> & { area: MultiPolygon | null };
export type ListPriceRulesRequest = Type.Static<typeof ListPriceRulesRequest>;
export type CreatePriceRuleRequest = Type.Static<typeof CreatePriceRuleRequest>;
export type EndPriceRuleRequest = Type.Static<typeof EndPriceRuleRequest>;

/** Grants, limits and prices: decisions of administrators. */
export const creditAdministrationContract = {
  setCreditLimit: defineOperation({
    path: "/credits/user/set-credit-limit",
    unknownMembers: "refuse",
    access: "user",
    permissions: ["admin.credits.set-user-credit-limit"],
    summary: "Limit the spending of a user from the credit of its group",
    description: "A limit below the used credit is accepted and stops further spending.",
    request: SetCreditLimitRequest,
    response: Type.Object({}),
    errors: ["NON-EXISTENT-USER"],
  }),
  grant: defineOperation({
    path: "/credits/grant",
    unknownMembers: "refuse",
    access: "user",
    permissions: ["admin.credits.grant"],
    summary: "Add credit to a group",
    request: GrantRequest,
    response: GrantAnswer,
    errors: ["NON-EXISTENT-GROUP", "INSUFFICIENT-CREDIT", "CONFLICT"],
  }),
  listGrants: defineOperation({
    path: "/credits/grants/list",
    access: "user",
    permissions: ["admin.credits.list-grants"],
    summary: "List grants of credit, newest first",
    request: ListGrantsRequest,
    response: Type.Object({ results: Type.Array(Grant), cursor: NextCursorSchema }),
    errors: ["INVALID-CURSOR"],
  }),
  listPriceRules: defineOperation({
    path: "/credits/price-rules/list",
    access: "user",
    permissions: ["admin.credits.list-price-rules"],
    summary: "List price rules",
    request: ListPriceRulesRequest,
    response: Type.Object({ results: Type.Array(PriceRule), cursor: NextCursorSchema }),
    errors: ["INVALID-CURSOR"],
  }),
  createPriceRule: defineOperation({
    path: "/credits/price-rules/create",
    unknownMembers: "refuse",
    access: "user",
    permissions: ["admin.credits.create-price-rule"],
    summary: "Set a price, or make an area free",
    description: "Two rules for the same subject must not be valid at the same time. End the older rule first.",
    request: CreatePriceRuleRequest,
    response: PriceRule,
    errors: ["NON-EXISTENT-GROUP", "CONFLICT"],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
  }),
  endPriceRule: defineOperation({
    path: "/credits/price-rules/end",
    unknownMembers: "refuse",
    access: "user",
    permissions: ["admin.credits.end-price-rule"],
    summary: "End a price",
    description: "Ended rules are kept, so that every charge stays explainable.",
    request: EndPriceRuleRequest,
    response: PriceRule,
    errors: ["NON-EXISTENT-PRICE-RULE", "CONFLICT"],
  }),
} as const satisfies FeatureContract;
