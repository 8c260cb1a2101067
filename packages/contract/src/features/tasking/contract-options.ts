import { Type } from "typebox";
import type { Static } from "typebox";

/** A term of a contract: an imaging mode, a priority, a product type and so on. */
export const TermSchema = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$" });

export const ContractIdSchema = Type.String({
  title: "ContractId",
  description: "contract",
  minLength: 1,
  maxLength: 64,
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$",
});

const ProductTypes = (description: string) =>
  Type.Array(TermSchema("product type"), { description, minItems: 1, maxItems: 10, uniqueItems: true });

/**
 * Members of `orderOptions` that a contract decides on. Each is optional; a missing one is the default of the contract.
 */
export const contractOptionMembers = {
  contractId: Type.Optional({
    ...ContractIdSchema,
    description: "contract of the order; by default the default contract of the group for the provider",
  }),
  ingestProducts: Type.Optional(
    ProductTypes("products of the capture that the service ingests; by default the first of the imaging mode"),
  ),
  derivativeProductTypes: Type.Optional(ProductTypes("further products that the provider makes of the capture")),
  exclusivity: Type.Optional(TermSchema("buyers of the capture, and the time")),
  catalogCollection: Type.Optional(TermSchema("collection that takes the capture")),
  deliveryLocationId: Type.Optional(TermSchema("delivery location of the contract; by default its first")),
  eula: Type.Optional(TermSchema("licence that the order accepts; required where the contract lists licences")),
  sla: Type.Optional(TermSchema("promised time of delivery")),
};

const ContractOptionsSchema = Type.Object(contractOptionMembers, { title: "ContractOptions" });
export type ContractOptions = Static<typeof ContractOptionsSchema>;
