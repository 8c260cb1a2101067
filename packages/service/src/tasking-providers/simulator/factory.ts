import type { Clock } from "@swath/base/clock";
import type { OrbitSource } from "@swath/kernel/orbits/orbit-source";
import { planOf } from "@swath/simulator/constellation/catalogue";
import type { PassSearch } from "../../platform/geometry/pass-search.ts";
import type { Db } from "../../platform/context.ts";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import type { TaskingFactory, TaskingSettings } from "../bindings.ts";
import { findPasses } from "./find-passes.ts";
import { simulatorSettings } from "./settings.ts";
import { createSimulator } from "./simulator.ts";
import type { SimulatorOptions } from "./simulator-options.ts";

export interface SimulatorFactoryDeps {
  readonly clock: Clock;
  /** Null where settings are only checked. */
  readonly db: Db | null;
  readonly orbits: Pick<OrbitSource, "satellites">;
  /** Null where settings are only checked. */
  readonly passes: PassSearch | null;
  /** Of orders whose settings name none. */
  readonly speed: number;
}

const NO_FAULTS = { rejected: 0, cloudy: 0, late: 0, partial: 0, down: 0, duplicates: 0, reordered: 0 } as const;
const MEGAPIXELS = 2;

/** The simulated constellation takes orders for its datasets. */
export function simulatorTaskingFactory(deps: SimulatorFactoryDeps): TaskingFactory {
  return {
    offers: isOffered,
    shared: false,
    check: (settings, registered) => {
      if (isOffered(registered)) return simulatorSettings.faultsOf(settings);
      const { provider, dataset } = registered;
      return [{ path: "", message: `the simulator has no dataset "${dataset.dataset}" of provider "${provider.id}"` }];
    },
    create: (registered, settings) => {
      const { db, passes } = deps;
      if (db === null || passes === null) throw new Error("a simulated provider needs a database and threads");
      const { dataset } = registered;
      const { sensors } = dataset;
      if (sensors === null) throw new Error(`the sensors of ${dataset.dataset} are not described`);
      return createSimulator(
        {
          ...deps,
          db,
          findPasses: (request, elementsMs, signal) =>
            findPasses({ orbits: deps.orbits, passes }, { ...request, registered, elementsMs }, signal),
        },
        { ...optionsOf(settings, deps.speed), latencyMs: sensors.latencyHours * 3_600_000 },
      );
    },
  };
}

function isOffered({ provider, dataset }: RegisteredDataset): boolean {
  return dataset.sensors !== null && planOf(provider.id, dataset.dataset) !== null;
}

function optionsOf(settings: TaskingSettings, speed: number): Omit<SimulatorOptions, "latencyMs"> {
  if (!simulatorSettings.isValid(settings)) throw new TypeError("the settings were not checked");
  return {
    speed: settings.speed ?? speed,
    megapixels: settings.megapixels ?? MEGAPIXELS,
    faults: { ...NO_FAULTS, ...settings.faults },
  };
}
