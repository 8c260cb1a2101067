import type { ContractTerms, TaskingContract } from "@swath/contract/features/tasking/contracts-contract";

/** A contract with a provider of images, stored or built in. */
export interface AgreedContract {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  /** Null: of every group. */
  readonly groupId: string | null;
  /** Whether it applies to orders that name no contract. */
  readonly isDefault: boolean;
  readonly isBuiltIn: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly startMs: number;
  readonly endMs: number;
  readonly terms: ContractTerms;
}

/** ISO 8601 in UTC with whole seconds. */
function dateTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/[.]\d{3}Z$/, "Z");
}

export function contractAnswer(contract: AgreedContract): TaskingContract {
  const { id, name, provider, groupId, isDefault, isBuiltIn, startMs, endMs, terms } = contract;
  return {
    id,
    name,
    provider,
    groupId,
    isDefault,
    isBuiltIn,
    start: dateTime(startMs),
    end: dateTime(endMs),
    ...terms,
    hasPricingPlan: terms.pricePlan.length > 0,
  };
}
