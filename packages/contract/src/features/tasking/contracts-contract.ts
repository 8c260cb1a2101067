import { Type } from "typebox";
import type { Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { DatetimeInputSchema } from "../../kit/schemas/time.ts";
import { ContractIdSchema, TermSchema } from "./contract-options.ts";

const MAX_TERMS = 10;

const PLAIN = "^[^\\u0000-\\u001f]*$";
const Id = (description: string) => Type.String({ description, minLength: 1, maxLength: 128, pattern: PLAIN });
const OrNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const Terms = (description: string, minItems = 0) =>
  Type.Array(TermSchema("term"), { description, minItems, maxItems: MAX_TERMS, uniqueItems: true });

const Choice = (description: string) =>
  Type.Object(
    {
      allowed: Terms("values that an order may name; empty: an order may name none"),
      default: OrNull(TermSchema("one of the allowed values"), "value of an order that names none; null: none"),
    },
    { title: "ContractChoice", description },
  );

const DeliveryLocation = Type.Object(
  {
    method: Type.String({ description: "such as ingest or s3", minLength: 1, maxLength: 64, pattern: PLAIN }),
    path: Type.String({ minLength: 1, maxLength: 512, pattern: PLAIN }),
    id: TermSchema("name of the location in orders"),
  },
  { title: "DeliveryLocation" },
);

const ImagingModeCapability = Type.Object(
  {
    mode: TermSchema("one of the allowed imaging modes"),
    productTypes: Type.Object({
      allowed: Terms("products of the mode; the first is the default", 1),
      slaApplicable: Terms("products whose time of delivery can be promised"),
    }),
  },
  { title: "ImagingModeCapability" },
);

const CancellationTerm = Type.Object(
  {
    priority: OrNull(TermSchema("priority"), "orders of this priority; null: all others"),
    feeShare: Type.Number({ description: "share of the price that a cancellation keeps", minimum: 0, maximum: 1 }),
    cutoffHours: Type.Number({
      description: "an order cannot be cancelled from so many hours before its first planned capture",
      minimum: 0,
      maximum: 24 * 365,
    }),
  },
  { title: "CancellationTerm" },
);

const ModePrice = Type.Object(
  {
    mode: TermSchema("imaging mode"),
    creditsPerKm2: Type.Number({ description: "credits", minimum: 0, maximum: 1_000_000 }),
  },
  { title: "ModePrice" },
);

const termMembers = {
  deliveryLocations: Type.Array(DeliveryLocation, { maxItems: MAX_TERMS }),
  imagingModes: Type.Object({ allowed: Terms("imaging modes of orders", 1) }),
  imagingModeCapabilities: Type.Array(ImagingModeCapability, {
    description: "one for each allowed imaging mode",
    maxItems: MAX_TERMS,
  }),
  priority: Choice("priorities of orders"),
  exclusivity: Choice("buyers of a capture, and the time"),
  catalogCollections: Choice("collections that take captures"),
  eula: Choice("licences; an order must accept one of them by its name"),
  sla: Choice("promised times of delivery"),
  cancellation: Type.Array(CancellationTerm, {
    description: "fees and cut-offs by priority; a priority without an entry is free to cancel until the capture",
    maxItems: MAX_TERMS,
  }),
  pricePlan: Type.Array(ModePrice, {
    description: "agreed prices by imaging mode, in place of the price rules",
    maxItems: MAX_TERMS,
  }),
};

const TermsSchema = Type.Object(termMembers);
/** Terms of a contract, beside its name, its parties and its validity. */
export type ContractTerms = Static<typeof TermsSchema>;

const nameMember = Type.String({ description: "name", minLength: 1, maxLength: 200, pattern: PLAIN });

const ContractSchema = Type.Object(
  {
    id: ContractIdSchema,
    name: Type.String(),
    provider: Type.String(),
    groupId: OrNull(Type.String(), "group of the contract; null: every group"),
    isDefault: Type.Boolean({ description: "applies to orders that name no contract" }),
    isBuiltIn: Type.Boolean({ description: "applies until a contract with the provider is set for the group" }),
    start: Type.String({ format: "date-time", description: "first moment of orders" }),
    end: Type.String({ format: "date-time", description: "orders must end before it" }),
    ...termMembers,
    hasPricingPlan: Type.Boolean({ description: "whether the contract has separate prices" }),
  },
  { title: "TaskingContract" },
);
export type TaskingContract = Static<typeof ContractSchema>;

const ListContractsRequest = Type.Object(
  {
    provider: Type.Optional(Id("only contracts with this provider")),
    allGroups: Type.Optional(
      Type.Boolean({
        description: "stored contracts of every group; needs admin.tasking.list-contracts",
        default: false,
      }),
    ),
  },
  { title: "ListContractsRequest" },
);
export type ListContractsRequest = Static<typeof ListContractsRequest>;

const SetContractRequest = Type.Object(
  {
    id: Type.Optional({ ...ContractIdSchema, description: "replaces the contract of this ID; by default a new ID" }),
    name: nameMember,
    provider: Id("provider"),
    groupId: Type.Optional(OrNull(Id("group"), "group of the contract; null or omitted: every group")),
    isDefault: Type.Optional(Type.Boolean({ description: "applies to orders that name no contract", default: false })),
    start: DatetimeInputSchema,
    end: DatetimeInputSchema,
    ...termMembers,
    cancellation: Type.Optional(termMembers.cancellation),
    pricePlan: Type.Optional(termMembers.pricePlan),
  },
  { title: "SetContractRequest" },
);
export type SetContractRequest = Static<typeof SetContractRequest>;

/** Contracts with providers: read by everybody who orders, set by administrators. */
export const taskingContractsContract = {
  listContracts: defineOperation({
    path: "/scene-tasking/contracts/list",
    access: "user",
    conditionalPermissions: ["admin.tasking.list-contracts"],
    dynamicPermissions: (request) => (request.allGroups === true ? ["admin.tasking.list-contracts"] : []),
    summary: "List the contracts that the caller can order under",
    description:
      "Contracts of the group of the caller, and contracts of every group, by provider and ID. A provider without a " +
      "contract has a built-in one, so that orders of a new installation can be rehearsed.",
    request: ListContractsRequest,
    response: Type.Array(ContractSchema),
  }),
  setContract: defineOperation({
    path: "/scene-tasking/contracts/set",
    unknownMembers: "refuse",
    access: "user",
    permissions: ["admin.tasking.set-contract"],
    summary: "Add or replace a contract",
    description: "Orders that exist keep the terms that they were placed under.",
    request: SetContractRequest,
    response: ContractSchema,
    errors: ["NON-EXISTENT-GROUP", "CONFLICT"],
  }),
  deleteContract: defineOperation({
    path: "/scene-tasking/contracts/delete",
    unknownMembers: "refuse",
    access: "user",
    permissions: ["admin.tasking.delete-contract"],
    summary: "Delete a contract",
    description: "Orders that exist keep the terms that they were placed under.",
    request: Type.Object({ id: ContractIdSchema }, { title: "DeleteContractRequest" }),
    response: Type.Object({}),
    errors: ["NON-EXISTENT-CONTRACT"],
  }),
} as const satisfies FeatureContract;
