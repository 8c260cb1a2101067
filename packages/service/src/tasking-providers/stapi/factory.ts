import { HostBreakers } from "@swath/raster/remote/host-breakers";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import type { SettingsFault } from "../../sources/bindings.ts";
import { settingsCheck } from "../../sources/settings-check.ts";
import { connectionFaults } from "../../sources/stac/connection-faults.ts";
import type { TaskingFactory } from "../bindings.ts";
import { StapiSettings } from "./settings.ts";
import type { StapiDeps } from "./stapi-peer.ts";
import { createStapiProvider } from "./stapi-provider.ts";

export interface StapiFactoryDeps extends Omit<StapiDeps, "db" | "passes"> {
  /** Null where settings are only checked. */
  readonly db: StapiDeps["db"] | null;
  /** Windows of the satellites of a dataset; null for one without satellites. */
  readonly passesOf?: (registered: RegisteredDataset) => StapiDeps["passes"];
}

const settingsOfStapi = settingsCheck(StapiSettings);

/** Makes a client for each dataset that is bound to a product of a STAPI provider. */
export function stapiTaskingFactory({ db, passesOf, ...deps }: StapiFactoryDeps): TaskingFactory {
  const breakers = deps.breakers ?? new HostBreakers({ clock: deps.clock });
  return {
    offers: null,
    shared: false,

    check(settings, { dataset }) {
      if (!settingsOfStapi.isValid(settings)) return settingsOfStapi.faultsOf(settings);
      const faults: SettingsFault[] = [];
      if (dataset.taskingInfo === null) {
        const message = `got no "sensors" for the dataset "${dataset.dataset}", which orders of it need`;
        faults.push({ path: "", message });
      }
      if (!URL.canParse(settings.url)) return [...faults, { path: "/url", message: `"${settings.url}" is no address` }];
      return [...faults, ...connectionFaults(settings)];
    },

    create(registered, settings) {
      if (!settingsOfStapi.isValid(settings)) throw new Error("the settings of a STAPI provider were not checked");
      if (db === null) throw new Error("a STAPI provider needs a database for its submissions");
      return createStapiProvider(settings, { ...deps, breakers, db, passes: passesOf?.(registered) ?? null });
    },
  };
}
