import type { ContractTerms } from "@swath/contract/features/tasking/contracts-contract";
import { ORDER_PRIORITIES, type OrderPriority } from "@swath/kernel/tasking/order-priority";
import { imagingModeOf } from "../../../providers/imaging-mode.ts";
import type { DatasetDescriptor, ProviderDescriptor } from "../../../providers/provider.ts";
import type { AgreedContract } from "./agreed-contract.ts";

/** Stored contracts have other IDs. */
export const BUILT_IN_PREFIX = "built-in-";

const START_MS = Date.UTC(2020, 0, 1);
const END_MS = Date.UTC(2100, 0, 1);

/** Usual terms of the trade: a flexible order is free to cancel, a promised pass is not. */
const OPTICAL_CANCELLATION: ContractTerms["cancellation"] = [
  { priority: "flexible", feeShare: 0, cutoffHours: 0 },
  { priority: null, feeShare: 0.25, cutoffHours: 24 },
];
const RADAR_CANCELLATION: ContractTerms["cancellation"] = [
  { priority: "flexible", feeShare: 0, cutoffHours: 12 },
  { priority: null, feeShare: 0.25, cutoffHours: 12 },
];

const NONE: ContractTerms["sla"] = { allowed: [], default: null };

/** Modes of the datasets, each with the products of all of its datasets. */
function capabilities(datasets: readonly DatasetDescriptor[]): ContractTerms["imagingModeCapabilities"] {
  return [...Map.groupBy(datasets, imagingModeOf)].map(([mode, own]) => {
    return { mode, productTypes: { allowed: [...new Set(own.map(({ type }) => type))], slaApplicable: [] } };
  });
}

function isOptical(datasets: readonly DatasetDescriptor[]): boolean {
  return datasets.every(({ type }) => type === "optical");
}

/** From the most patient. */
function prioritiesOf(datasets: readonly DatasetDescriptor[]): OrderPriority[] {
  const offered = datasets.flatMap(({ taskingInfo }) =>
    Object.values(taskingInfo ?? {}).flatMap(({ priorities }) => Object.keys(priorities)),
  );
  return ORDER_PRIORITIES.filter((priority) => offered.includes(priority));
}

/**
 * The contract that holds until one is stored, derived from what the provider offers: every mode and every priority,
 * without licences and promised times. Null for a provider without tasking.
 */
export function builtInContract({ id, name, datasets }: ProviderDescriptor): AgreedContract | null {
  const tasked = datasets.filter(({ taskingInfo }) => taskingInfo !== null);
  if (tasked.length === 0) return null;
  const priorities = prioritiesOf(tasked);
  const cancellation = isOptical(tasked) ? OPTICAL_CANCELLATION : RADAR_CANCELLATION;
  const imagingModeCapabilities = capabilities(tasked);
  return {
    id: `${BUILT_IN_PREFIX}${id}`,
    name: `${name}, built in`,
    provider: id,
    groupId: null,
    isDefault: true,
    isBuiltIn: true,
    startMs: START_MS,
    endMs: END_MS,
    terms: {
      deliveryLocations: [{ method: "ingest", path: "/", id: "store" }],
      imagingModes: { allowed: imagingModeCapabilities.map(({ mode }) => mode) },
      imagingModeCapabilities,
      priority: { allowed: priorities, default: null },
      exclusivity: { allowed: ["public"], default: "public" },
      catalogCollections: { allowed: ["store"], default: "store" },
      eula: NONE,
      sla: NONE,
      cancellation: cancellation.filter(
        ({ priority }) => priority === null || priorities.some((offered) => offered === priority),
      ),
      pricePlan: [],
    },
  };
}
