import type { ContractTerms } from "@swath/contract/features/tasking/contracts-contract";
import type { ErrorDetail } from "@swath/kernel/errors/service-error";

type Choice = ContractTerms["priority"];
const CHOICES = ["priority", "exclusivity", "catalogCollections", "eula", "sla"] as const;

function duplicateOf(names: readonly string[]): string | null {
  return names.find((name, index) => names.indexOf(name) !== index) ?? null;
}

function choiceFault(name: string, { allowed, default: value }: Choice): ErrorDetail[] {
  if (value === null || allowed.includes(value)) return [];
  return [{ path: `/${name}/default`, message: `is ${value}, expected ${namesOrNull(allowed)}` }];
}

function namesOrNull(names: readonly string[]): string {
  return names.length === 0 ? "null" : `one of ${names.join(", ")} or null`;
}

function capabilityFaults({ imagingModes, imagingModeCapabilities }: ContractTerms): ErrorDetail[] {
  const path = "/imagingModeCapabilities";
  const modes = imagingModeCapabilities.map(({ mode }) => mode);
  const faults: ErrorDetail[] = [];
  const twice = duplicateOf(modes);
  if (twice !== null) faults.push({ path, message: `has the mode ${twice} twice` });
  const missing = imagingModes.allowed.filter((mode) => !modes.includes(mode));
  if (missing.length > 0) faults.push({ path, message: `has no entry for ${missing.join(", ")}` });
  for (const [index, { mode, productTypes }] of imagingModeCapabilities.entries()) {
    if (!imagingModes.allowed.includes(mode)) {
      const message = `is ${mode}, expected one of ${imagingModes.allowed.join(", ")}`;
      faults.push({ path: `${path}/${index}/mode`, message });
    }
    const foreign = productTypes.slaApplicable.filter((type) => !productTypes.allowed.includes(type));
    if (foreign.length > 0) {
      const message = `has ${foreign.join(", ")}, expected only ${productTypes.allowed.join(", ")}`;
      faults.push({ path: `${path}/${index}/productTypes/slaApplicable`, message });
    }
  }
  return faults;
}

/** Entries for names of a list, each name at most once. */
function entryFaults(path: string, names: readonly (string | null)[], allowed: readonly string[]): ErrorDetail[] {
  const texts = names.map((name) => name ?? "null");
  const twice = duplicateOf(texts);
  const foreign = names.filter((name) => name !== null && !allowed.includes(name));
  return [
    ...(twice === null ? [] : [{ path, message: `has an entry for ${twice} twice` }]),
    ...(foreign.length === 0
      ? []
      : [{ path, message: `has an entry for ${foreign.join(", ")}, expected only ${allowed.join(", ")}` }]),
  ];
}

/** Contradictions within the terms of a contract; empty for terms that orders can be checked against. */
export function termFaults(terms: ContractTerms): readonly ErrorDetail[] {
  const locations = terms.deliveryLocations.map(({ id }) => id);
  const twice = duplicateOf(locations);
  const priorities = terms.cancellation.map(({ priority }) => priority);
  const modes = terms.pricePlan.map(({ mode }) => mode);
  return [
    ...CHOICES.flatMap((name) => choiceFault(name, terms[name])),
    ...capabilityFaults(terms),
    ...(twice === null ? [] : [{ path: "/deliveryLocations", message: `has the id ${twice} twice` }]),
    ...entryFaults("/cancellation", priorities, terms.priority.allowed),
    ...entryFaults("/pricePlan", modes, terms.imagingModes.allowed),
  ];
}
