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
import { importedElements } from "./tasking-providers/orbits/elements-for.ts";
import { orbitWindows } from "./tasking-providers/orbits/orbit-windows.ts";
import { stapiTaskingFactory } from "./tasking-providers/stapi/factory.ts";
import type { StapiDeps } from "./tasking-providers/stapi/stapi-peer.ts";
import type { PassSearch } from "./platform/geometry/pass-search.ts";
import type { TaskingProviders } from "./tasking-providers/tasking-provider.ts";

/** The adapter of datasets for which the configuration names none. */
const STANDARD_ADAPTER = "simulator";

/** One line for each kind of adapter. */
export function taskingFactories(deps: {
  readonly clock: Clock;
  readonly log: Log;
  /** Null where settings are only checked, as are the threads. */
  readonly db: Db | null;
  readonly passes: PassSearch | null;
  /** Seconds of a rehearsed order per second of the clock. */
  readonly speed: number;
}): TaskingFactories {
  return {
    simulator: simulatorTaskingFactory({ ...deps, orbits: simulatedOrbits }),
    stapi: stapiTaskingFactory({ ...deps, passesOf: (registered) => importedPasses(deps, registered) }),
  };
}

/** Windows by the imported elements of the satellites of a dataset; null for one without satellites. */
function importedPasses(
  { clock, db, passes }: Parameters<typeof taskingFactories>[0],
  registered: RegisteredDataset,
): StapiDeps["passes"] {
  const hasSatellites = (registered.dataset.sensors?.satellites ?? []).length > 0;
  if (db === null || passes === null || !hasSatellites) return null;
  const deps = { elementsFor: importedElements(db), passes };
  return (request, signal) => orbitWindows(deps, registered, request, clock.now().getTime(), signal);
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
