import type { Clock } from "@swath/base/clock";
import type { Log } from "@swath/base/log/log";
import { simulatedOrbits } from "@swath/simulator/simulated-orbits";
import type { Db } from "./platform/context.ts";
import type { RegisteredDataset } from "./providers/catalog.ts";
import type { CatalogueConfiguration } from "./sources/catalogue-configuration.ts";
import { NO_TASKING } from "./sources/tasking-binding.ts";
import {
  createTaskingProviders,
  standardTasking,
  type TaskingBinding,
  type TaskingFactories,
} from "./tasking-providers/bindings.ts";
import { simulatorTaskingFactory } from "./tasking-providers/simulator/factory.ts";
import { stapiTaskingFactory } from "./tasking-providers/stapi/factory.ts";
import type { TaskingProviders } from "./tasking-providers/tasking-provider.ts";

/** The adapter of datasets for which the configuration names none. */
const STANDARD_ADAPTER = "simulator";

/** One line for each kind of adapter. */
export function taskingFactories(deps: {
  readonly clock: Clock;
  readonly log: Log;
  /** Null where settings are only checked. */
  readonly db: Db | null;
  /** Seconds of a rehearsed order per second of the clock. */
  readonly speed: number;
}): TaskingFactories {
  return {
    simulator: simulatorTaskingFactory({ ...deps, orbits: simulatedOrbits }),
    stapi: stapiTaskingFactory(deps),
  };
}

/** The adapters of a catalogue. */
export function taskingProviders(
  { catalog, taskingOf: configuredFor }: Pick<CatalogueConfiguration, "catalog" | "taskingOf">,
  factories: TaskingFactories,
): TaskingProviders {
  const taskingOf = (registered: RegisteredDataset): TaskingBinding | null => {
    const configured = configuredFor(registered.provider.id, registered.dataset.dataset);
    if (configured === null) return standardTasking(registered, STANDARD_ADAPTER, factories);
    return configured.kind === NO_TASKING ? null : configured;
  };
  return createTaskingProviders({ catalogue: { findDataset: catalog.findDataset, taskingOf }, factories });
}
