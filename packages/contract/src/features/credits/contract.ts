import { Type } from "typebox";
import { creditAdministrationContract } from "./administration-contract.ts";
import { creditHistoryContract } from "./history-contract.ts";
import { creditInvoiceContract } from "./invoice-contract.ts";
import type { FeatureContract } from "../../kit/contract.ts";
import { GEOJSON_BODY_LIMIT_BYTES, defineOperation } from "../../kit/operation.ts";
import { ExtentSchema } from "../../kit/schemas/geojson.ts";
import { MapTypeIdSchema } from "../../kit/schemas/map-type.ts";
import { MAX_SCENES, SceneIdSchema } from "../../kit/schemas/scene.ts";
import { ExpectedCostSchema } from "./expected-cost-schema.ts";

/** No control characters: the database accepts no zero bytes. */
const PLAIN = "^[^\\u0000-\\u001f]*$";

const areaMembers = {
  sceneIds: Type.Array(SceneIdSchema, { description: "scenes to pay for", minItems: 1, maxItems: MAX_SCENES }),
  geojson: ExtentSchema,
  costFreeAllocation: Type.Optional(
    Type.Boolean({ description: "allocate at no cost; needs admin.credits.cost-free-allocation" }),
  ),
  mapTypes: Type.Optional(
    Type.Array(MapTypeIdSchema, {
      description: "map types to release; a priced map type adds to the price of the scenes",
      maxItems: 20,
    }),
  ),
};

const UserId = Type.String({ minLength: 1, maxLength: 128, pattern: PLAIN });
const Credits = (description: string) => Type.Number({ description: `${description}, credits` });

export const CheckAreaRequest = Type.Object({
  ...areaMembers,
  userId: Type.Optional({ ...UserId, description: "another user, which needs admin.credits.check-area" }),
  creditsTier: Type.Optional(
    Type.String({ description: "prices of this tier instead of the tier of the group", maxLength: 64 }),
  ),
});

export const AllocateAreaRequest = Type.Object({
  ...areaMembers,
  expectedCost: ExpectedCostSchema,
  idempotencyKey: Type.Optional(
    Type.String({
      description: "a repeated request with the same key returns the first answer, without a second effect",
      minLength: 1,
      maxLength: 128,
      pattern: PLAIN,
    }),
  ),
});

const AreaQuote = Type.Object({
  cost: Credits("price of the unpaid area"),
  km2: Type.Number({ description: "unallocated area, summed over the scenes, km2" }),
});

const AllocatedArea = Type.Object({
  cost: Credits("charge"),
  km2: Type.Number({ description: "newly allocated area, summed over the scenes, km2" }),
  remainingCredit: Credits("remaining credit of the caller"),
  transactionIds: Type.Array(Type.String(), { description: "one for each scene with newly allocated area" }),
});

const RemainingCredit = Type.Object({ remainingCredit: Credits("remaining credit of the caller") });

const UserCreditInfo = Type.Object({
  id: Type.String({ description: "user" }),
  name: Type.String(),
  email: Type.String(),
  groupId: Type.String({ description: "group whose credit the user spends" }),
  creditsTier: Type.String(),
  remainingCredit: Credits("remaining credit of the user: of the group, or of the limit if less"),
  usedCredit: Credits("spent by the user, held credit included"),
  heldCredit: Credits("held for orders and releases of the user that are not settled yet"),
  groupCredit: Credits("remaining credit of the group"),
  creditLimit: Type.Union([Credits("most that the user may spend in all"), Type.Null()], {
    description: "null: the credit of the group alone is the limit",
  }),
});

export type CheckAreaRequest = Type.Static<typeof CheckAreaRequest>;
export type AllocateAreaRequest = Type.Static<typeof AllocateAreaRequest>;
export type AreaQuote = Type.Static<typeof AreaQuote>;
export type AllocatedArea = Type.Static<typeof AllocatedArea>;
export type UserCreditInfo = Type.Static<typeof UserCreditInfo>;

export const creditsContract = {
  ...creditAdministrationContract,
  ...creditHistoryContract,
  ...creditInvoiceContract,
  checkArea: defineOperation({
    path: "/credits/area/check-geojson",
    permissions: ["credits.check-area"],
    summary: "Check the cost of allocating an area",
    description:
      "Every scene must intersect the area. Area that the group holds costs nothing. Latitude is within -85..85.",
    request: CheckAreaRequest,
    response: AreaQuote,
    errors: ["NON-EXISTING-SCENE", "EXTENT-HAS-NO-INTERSECTION", "LICENSE-EXPIRED", "NON-EXISTENT-USER"],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
    work: { maps: ({ sceneIds }) => sceneIds.length },
  }),
  allocateArea: defineOperation({
    path: "/credits/area/allocate-geojson",
    unknownMembers: "refuse",
    permissions: ["credits.allocate-area"],
    conditionalPermissions: ["admin.credits.cost-free-allocation"],
    dynamicPermissions: (request) =>
      request.costFreeAllocation === true ? ["admin.credits.cost-free-allocation"] : [],
    summary: "Pay for an area",
    description:
      "Charges the group for the part of the area that it does not hold. The whole group can then analyse " +
      "the area without limit.",
    request: AllocateAreaRequest,
    response: AllocatedArea,
    errors: [
      "NON-EXISTING-SCENE",
      "EXTENT-HAS-NO-INTERSECTION",
      "LICENSE-EXPIRED",
      "INSUFFICIENT-CREDIT",
      "USER-CREDIT-LIMIT",
      "CONFLICT",
      "PRICE-CHANGED",
    ],
    bodyLimitBytes: GEOJSON_BODY_LIMIT_BYTES,
    rateClass: "initiate",
    work: { maps: ({ sceneIds }) => sceneIds.length },
  }),
  remainingCredit: defineOperation({
    path: "/credits/get-remaining-credit",
    summary: "Get the credit that the caller can spend",
    description: "Needs a token and no permission, because refusals of the caller disclose the same figure.",
    request: Type.Object({}),
    response: RemainingCredit,
  }),
  userInfo: defineOperation({
    path: "/credits/user/info",
    permissions: ["credits.user-info"],
    conditionalPermissions: ["admin.credits.user-info"],
    summary: "Get the credit of a user",
    request: Type.Object({
      userId: Type.Optional({ ...UserId, description: "another user, which needs admin.credits.user-info" }),
    }),
    response: UserCreditInfo,
    errors: ["NON-EXISTENT-USER"],
  }),
} as const satisfies FeatureContract;
