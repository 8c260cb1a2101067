import type { Clock } from "@swath/base/clock";
import { simulatedOrbits } from "@swath/simulator/simulated-orbits";
import type { Db } from "./platform/context.ts";
import type { Catalog } from "./providers/catalog.ts";
import { createTaskingProviders, standardTasking, type TaskingFactories } from "./tasking-providers/bindings.ts";
import { simulatorTaskingFactory } from "./tasking-providers/simulator/factory.ts";
import type { TaskingProviders } from "./tasking-providers/tasking-provider.ts";

/** The adapter of datasets for which the configuration names none. */
const STANDARD_ADAPTER = "simulator";

/** One line for each kind of adapter. */
export function taskingFactories(deps: {
  readonly clock: Clock;
  /** Null where settings are only checked. */
  readonly db: Db | null;
  /** Seconds of a rehearsed order per second of the clock. */
  readonly speed: number;
}): TaskingFactories {
  return {
    simulator: simulatorTaskingFactory({ ...deps, orbits: simulatedOrbits }),
  };
}

/** The adapters of a catalogue. */
export function taskingProviders({ findDataset }: Catalog, factories: TaskingFactories): TaskingProviders {
  const taskingOf = (registered: NonNullable<ReturnType<typeof findDataset>>) =>
    standardTasking(registered, STANDARD_ADAPTER, factories);
  return createTaskingProviders({ catalogue: { findDataset, taskingOf }, factories });
}
