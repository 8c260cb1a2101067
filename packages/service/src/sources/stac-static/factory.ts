import type { Db } from "../../platform/context.ts";
import type { SourceFactory } from "../bindings.ts";
import { settingsCheck } from "../settings-check.ts";
import { connectionFaults } from "../stac/connection-faults.ts";
import type { StacSourceDeps } from "../stac/stac-catalogue.ts";
import { StaticSettings } from "./settings.ts";
import { createStaticSource, sourceConfig } from "./static-source.ts";

export interface StaticFactoryDeps extends StacSourceDeps {
  /** Where indexes are kept; null where settings are only checked. */
  readonly db: Db | null;
}

const settingsOfStatic = settingsCheck(StaticSettings);

/** Makes a source for each dataset that is bound to a static STAC catalogue. */
export function staticSourceFactory({ db, ...deps }: StaticFactoryDeps): SourceFactory {
  return {
    simulated: false,
    offers: null,
    shared: false,

    check(settings, { provider, dataset }) {
      if (!settingsOfStatic.isValid(settings)) return settingsOfStatic.faultsOf(settings);
      if (!URL.canParse(settings.url)) return [{ path: "/url", message: `"${settings.url}" is no address` }];
      return connectionFaults(sourceConfig(settings, provider.id, dataset.dataset));
    },

    create({ provider, dataset }, settings) {
      if (!settingsOfStatic.isValid(settings)) throw new Error("the settings of a static catalogue were not checked");
      if (db === null) throw new Error("a static catalogue needs a database for its index");
      return createStaticSource(settings, { provider: provider.id, dataset: dataset.dataset }, { ...deps, db });
    },
  };
}
