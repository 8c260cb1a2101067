import { creditsToMicro, km2ToSquareMetres } from "@swath/kernel/credits/micro";
import type { Price } from "@swath/kernel/credits/pricing";
import type { Catalog } from "../../providers/catalog.ts";

/** What a dataset costs where no rule says otherwise: what its configuration declares, nothing when none does. */
export function declaredPrice(catalog: Pick<Catalog, "findDataset">, provider: string, dataset: string): Price {
  const declared = catalog.findDataset(provider, dataset)?.dataset;
  if (declared === undefined) return { microPerKm2: 0n, minAreaM2: 0 };
  return {
    microPerKm2: creditsToMicro(declared.creditsPerKm2),
    minAreaM2: km2ToSquareMetres(declared.minAreaKm2),
  };
}
