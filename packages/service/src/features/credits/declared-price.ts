import { creditsToMicro, km2ToSquareMetres } from "@swath/kernel/credits/micro";
import type { Price } from "@swath/kernel/credits/pricing";
import { findDataset } from "../../providers/registry.ts";

/** What a dataset costs where no rule says otherwise: what its provider declares, nothing when none does. */
export function declaredPrice(provider: string, dataset: string): Price {
  const declared = findDataset(provider, dataset)?.dataset;
  if (declared === undefined) return { microPerKm2: 0n, minAreaM2: 0 };
  return {
    microPerKm2: creditsToMicro(declared.creditsPerKm2),
    minAreaM2: km2ToSquareMetres(declared.minAreaKm2),
  };
}
