import type { Clock } from "@swath/base/clock";
import { ConfigError, type Config } from "./platform/config/config.ts";
import type { Log } from "@swath/base/log/log";
import { providers } from "./providers/registry.ts";
import type { SourceFactories, SourceFactory } from "./sources/bindings.ts";
import { CatalogueFaults, parseCatalogue, type CatalogueConfiguration } from "./sources/catalogue-configuration.ts";
import { isSimulated } from "@swath/simulator/constellation/catalogue";
import { createSimulatorSource } from "@swath/simulator/simulator-source";
import { stacSourceFactory } from "./sources/stac/factory.ts";

/** What makes the sources of each kind. */
export function sourceFactories(deps: { readonly clock: Clock; readonly log: Log }): SourceFactories {
  return { simulator: simulatorFactory(deps.clock), stac: stacSourceFactory(deps) };
}

/** One constellation for all datasets. */
function simulatorFactory(clock: Clock): SourceFactory {
  return {
    shared: true,
    check: (_settings, { provider, dataset }) =>
      isSimulated(provider.id, dataset.dataset)
        ? []
        : [{ path: "", message: `the simulator has no dataset "${dataset.dataset}" of provider "${provider.id}"` }],
    create: () => createSimulatorSource({ clock }),
  };
}

/**
 * The catalogue that the configuration asks for.
 *
 * @throws {ConfigError} naming every fault
 */
export function configuredCatalogue(
  { catalog }: Pick<Config, "catalog">,
  factories: SourceFactories,
): CatalogueConfiguration {
  try {
    return parseCatalogue(catalog?.document ?? {}, providers, factories);
  } catch (error) {
    if (!(error instanceof CatalogueFaults)) throw error;
    throw new ConfigError(error.faults.map((fault) => `${catalog?.path ?? "the built-in catalogue"} ${fault}`));
  }
}

/** The faults that `configuredCatalogue` would name. */
export function catalogueFaults(
  catalog: NonNullable<Config["catalog"]>,
  factories: SourceFactories,
): readonly string[] {
  try {
    configuredCatalogue({ catalog }, factories);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
