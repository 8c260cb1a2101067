import type { Clock } from "@swath/base/clock";
import { isSimulated } from "@swath/simulator/constellation/catalogue";
import { createSimulatorSource } from "@swath/simulator/simulator-source";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import type { SourceFactory } from "../bindings.ts";

/** One constellation for all datasets that the simulator has. */
export function simulatorSourceFactory(deps: { readonly clock: Clock }): SourceFactory {
  return {
    simulated: true,
    offers: isOffered,
    shared: true,
    check: (_settings, registered) => {
      if (isOffered(registered)) return [];
      const { provider, dataset } = registered;
      return [{ path: "", message: `the simulator has no dataset "${dataset.dataset}" of provider "${provider.id}"` }];
    },
    create: () => createSimulatorSource(deps),
  };
}

function isOffered({ provider, dataset }: RegisteredDataset): boolean {
  return isSimulated(provider.id, dataset.dataset);
}
