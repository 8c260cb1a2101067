import type { ContractOptions } from "@swath/contract/features/tasking/contract-options";
import type { ContractTerms } from "@swath/contract/features/tasking/contracts-contract";
import type { ErrorDetail } from "@swath/kernel/errors/service-error";
import type { AgreedContract } from "./agreed-contract.ts";
import { invalidMembers } from "./invalid-members.ts";

/** What an order asks of its contract. */
export interface AskedOptions {
  /** Imaging mode of the sensor. */
  readonly mode: string;
  /** Null: the default of the contract. */
  readonly priority: string | null;
  /** Members that no contract decides on are ignored. */
  readonly orderOptions: ContractOptions;
  /** Of the order, milliseconds since 1970, UTC. */
  readonly startMs: number;
  readonly endMs: number;
  /** Place of the request in errors, such as `/params/0`; empty unless given. */
  readonly path?: string;
}

/** What holds for an order under its contract, defaults included. */
export interface AgreedOptions {
  readonly contractId: string;
  readonly priority: string | null;
  /** Products that the service ingests, then further ones; each once. */
  readonly productTypes: readonly string[];
  readonly exclusivity: string | null;
  readonly catalogCollection: string | null;
  readonly deliveryLocation: ContractTerms["deliveryLocations"][number] | null;
  readonly eula: string | null;
  readonly sla: string | null;
  /** Share of the price that a cancellation keeps, 0..1. */
  readonly cancelFeeShare: number;
  /** A cancellation is too late so many hours before the first planned capture. */
  readonly cancelCutoffHours: number;
  /** Agreed price of the imaging mode, credits; null: price rules decide. */
  readonly creditsPerKm2: number | null;
}

type ModeProducts = ContractTerms["imagingModeCapabilities"][number]["productTypes"];

/** Where the faults of a request are collected. */
interface Check {
  readonly contract: AgreedContract;
  readonly path: string;
  readonly faults: ErrorDetail[];
}

const isoOf = (epochMs: number): string => new Date(epochMs).toISOString();

function refuse({ contract, path, faults }: Check, member: string, got: string, allowed: readonly string[]): null {
  const expected = allowed.length === 0 ? "the member left out" : `one of ${allowed.join(", ")}`;
  faults.push({ path: `${path}${member}`, message: `${got}, expected ${expected} under contract ${contract.id}` });
  return null;
}

function chosen(
  check: Check,
  member: string,
  value: string | null | undefined,
  { allowed, default: usual }: ContractTerms["priority"],
): string | null {
  if (value == null) return usual;
  return allowed.includes(value) ? value : refuse(check, member, `is ${value}`, allowed);
}

/** What a mode of the contract delivers; null for a mode that the contract does not have. */
function productsOf({ contract }: Check, mode: string): ModeProducts | null {
  const { imagingModes, imagingModeCapabilities } = contract.terms;
  const capability = imagingModeCapabilities.find((one) => one.mode === mode);
  return imagingModes.allowed.includes(mode) ? (capability?.productTypes ?? null) : null;
}

function productTypesOf(
  check: Check,
  { allowed }: ModeProducts,
  { ingestProducts, derivativeProductTypes = [] }: ContractOptions,
): readonly string[] {
  const asked = { ingestProducts: ingestProducts ?? [], derivativeProductTypes };
  for (const [member, types] of Object.entries(asked)) {
    const foreign = types.filter((type) => !allowed.includes(type));
    if (foreign.length > 0) refuse(check, `/orderOptions/${member}`, `has ${foreign.join(", ")}`, allowed);
  }
  return [...new Set([...(ingestProducts ?? allowed.slice(0, 1)), ...derivativeProductTypes])];
}

/** A promised time of delivery: named for a product that has none is refused; the default applies where it can. */
function slaOf(
  check: Check,
  { slaApplicable }: ModeProducts,
  productTypes: readonly string[],
  value: string | undefined,
): string | null {
  const agreed = chosen(check, "/orderOptions/sla", value, check.contract.terms.sla);
  const without = productTypes.filter((type) => !slaApplicable.includes(type));
  if (agreed === null || without.length === 0) return agreed;
  if (value === undefined) return null;
  const products = slaApplicable.length === 0 ? "none" : slaApplicable.join(", ");
  check.faults.push({
    path: `${check.path}/orderOptions/sla`,
    message: `is ${value} for the product ${without.join(", ")}, expected only products with it: ${products}`,
  });
  return null;
}

function eulaOf(check: Check, value: string | undefined): string | null {
  const { eula } = check.contract.terms;
  if (value === undefined && eula.allowed.length > 0) {
    return refuse(check, "/orderOptions/eula", "is missing: an order accepts a licence by its name", eula.allowed);
  }
  return value === undefined ? null : chosen(check, "/orderOptions/eula", value, eula);
}

function deliveryLocationOf(check: Check, value: string | undefined): AgreedOptions["deliveryLocation"] {
  const { deliveryLocations } = check.contract.terms;
  if (value === undefined) return deliveryLocations[0] ?? null;
  const location = deliveryLocations.find(({ id }) => id === value);
  const ids = deliveryLocations.map(({ id }) => id);
  return location ?? refuse(check, "/orderOptions/deliveryLocationId", `is ${value}`, ids);
}

function checkValidity(check: Check, startMs: number, endMs: number): void {
  const { contract, path, faults } = check;
  if (startMs < contract.startMs) {
    const message = `is before contract ${contract.id} begins, expected ${isoOf(contract.startMs)} or later`;
    faults.push({ path: `${path}/startTime`, message });
  }
  if (endMs > contract.endMs) {
    const message = `is after contract ${contract.id} ends, expected ${isoOf(contract.endMs)} or earlier`;
    faults.push({ path: `${path}/endTime`, message });
  }
}

/**
 * The options of an order under its contract.
 *
 * @throws {ServiceError} VALIDATION-ERROR with every member that the contract does not allow and the allowed values
 */
export function checkOrderOptions(contract: AgreedContract, asked: AskedOptions): AgreedOptions {
  const { mode, orderOptions, startMs, endMs, path = "" } = asked;
  const { terms } = contract;
  const check: Check = { contract, path, faults: [] };
  checkValidity(check, startMs, endMs);
  const products = productsOf(check, mode);
  if (products === null) refuse(check, "/dataset", `has the imaging mode ${mode}`, terms.imagingModes.allowed);
  const productTypes = products === null ? [] : productTypesOf(check, products, orderOptions);
  const priority = chosen(check, "/priority", asked.priority, terms.priority);
  const agreed = {
    exclusivity: chosen(check, "/orderOptions/exclusivity", orderOptions.exclusivity, terms.exclusivity),
    catalogCollection: chosen(
      check,
      "/orderOptions/catalogCollection",
      orderOptions.catalogCollection,
      terms.catalogCollections,
    ),
    deliveryLocation: deliveryLocationOf(check, orderOptions.deliveryLocationId),
    eula: eulaOf(check, orderOptions.eula),
    sla: products === null ? null : slaOf(check, products, productTypes, orderOptions.sla),
  };
  if (check.faults.length > 0) {
    throw invalidMembers(check.faults);
  }
  const cancellation =
    terms.cancellation.find((one) => one.priority === priority) ??
    terms.cancellation.find((one) => one.priority === null);
  return {
    ...agreed,
    contractId: contract.id,
    priority,
    productTypes,
    cancelFeeShare: cancellation?.feeShare ?? 0,
    cancelCutoffHours: cancellation?.cutoffHours ?? 0,
    creditsPerKm2: terms.pricePlan.find((one) => one.mode === mode)?.creditsPerKm2 ?? null,
  };
}
