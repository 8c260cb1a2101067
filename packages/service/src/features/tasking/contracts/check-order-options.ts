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
  readonly productType: string;
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

function productTypeOf(check: Check, mode: string, value: string | undefined): string | null {
  const { imagingModes, imagingModeCapabilities } = check.contract.terms;
  const capability = imagingModeCapabilities.find((one) => one.mode === mode);
  if (capability === undefined || !imagingModes.allowed.includes(mode)) {
    return refuse(check, "/dataset", `has the imaging mode ${mode}`, imagingModes.allowed);
  }
  const { allowed } = capability.productTypes;
  if (value === undefined) return allowed[0] ?? null;
  return allowed.includes(value) ? value : refuse(check, "/orderOptions/productType", `is ${value}`, allowed);
}

/** A promised time of delivery: named for a product that has none is refused; the default applies where it can. */
function slaOf(check: Check, mode: string, productType: string | null, value: string | undefined): string | null {
  const { sla, imagingModeCapabilities } = check.contract.terms;
  const agreed = chosen(check, "/orderOptions/sla", value, sla);
  const promised = imagingModeCapabilities.find((one) => one.mode === mode)?.productTypes.slaApplicable ?? [];
  if (agreed === null || productType === null || promised.includes(productType)) return agreed;
  if (value === undefined) return null;
  const products = promised.length === 0 ? "none" : promised.join(", ");
  check.faults.push({
    path: `${check.path}/orderOptions/sla`,
    message: `is ${value} for the product ${productType}, expected a product with it: ${products}`,
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
  const productType = productTypeOf(check, mode, orderOptions.productType);
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
    sla: slaOf(check, mode, productType, orderOptions.sla),
  };
  if (check.faults.length > 0 || productType === null) {
    throw invalidMembers(check.faults);
  }
  const cancellation =
    terms.cancellation.find((one) => one.priority === priority) ??
    terms.cancellation.find((one) => one.priority === null);
  return {
    ...agreed,
    contractId: contract.id,
    priority,
    productType,
    cancelFeeShare: cancellation?.feeShare ?? 0,
    cancelCutoffHours: cancellation?.cutoffHours ?? 0,
    creditsPerKm2: terms.pricePlan.find((one) => one.mode === mode)?.creditsPerKm2 ?? null,
  };
}
