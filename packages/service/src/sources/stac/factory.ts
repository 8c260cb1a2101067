import { HostBreakers } from "@swath/raster/remote/host-breakers";
import { HeaderCache } from "@swath/raster/remote/http-byte-source";
import type { SettingsFault, SourceFactory } from "../bindings.ts";
import { settingsCheck } from "../settings-check.ts";
import { boundConfig } from "./bound-config.ts";
import { StacSettings, type StacSourceConfig } from "./config.ts";
import { connectionFaults } from "./connection-faults.ts";
import type { StacSourceDeps } from "./stac-catalogue.ts";
import { createStacSource } from "./stac-source.ts";

const settingsOfStac = settingsCheck(StacSettings);

/**
 * Makes STAC sources for the catalogue configuration: one for each dataset, which its settings bind to collections.
 * They share what they learn of hosts and of the beginnings of files; these only where they may read the same.
 */
export function stacSourceFactory(deps: StacSourceDeps): SourceFactory {
  const breakers = deps.breakers ?? new HostBreakers({ clock: deps.clock });
  const headersByCredentials = new Map<string, HeaderCache>();
  const headersFor = ({ credentials = [] }: StacSourceConfig): HeaderCache => {
    const key = JSON.stringify(credentials);
    const headers = headersByCredentials.get(key) ?? new HeaderCache(deps.clock);
    headersByCredentials.set(key, headers);
    return headers;
  };
  return {
    simulated: false,
    offers: null,
    shared: false,

    check(settings, { provider, dataset }) {
      return settingsOfStac.isValid(settings)
        ? contradictions(boundConfig(settings, provider.id, dataset.dataset))
        : settingsOfStac.faultsOf(settings);
    },

    create({ provider, dataset }, settings) {
      if (!settingsOfStac.isValid(settings)) throw new Error("the settings of a STAC source were not checked");
      const config = boundConfig(settings, provider.id, dataset.dataset);
      return createStacSource(config, { ...deps, breakers, headers: headersFor(config) });
    },
  };
}

/** Faults that the schema cannot find: addresses, hosts and secrets. */
function contradictions(config: StacSourceConfig): readonly SettingsFault[] {
  if (!URL.canParse(config.url)) return [{ path: "/url", message: `"${config.url}" is no address` }];
  if (new URL(config.url).pathname.endsWith(".json")) {
    const expected = 'expected the landing page of an API, or "kind": "stac-static" for a static catalogue';
    return [{ path: "/url", message: `got the file "${config.url}", ${expected}` }];
  }
  return connectionFaults(config);
}
