import type { Clock } from "@swath/base/clock";
import { ConfigError, type Config } from "./platform/config/config.ts";
import type { Log } from "@swath/base/log/log";
import { providers } from "./providers/registry.ts";
import type { SourceFactories } from "./sources/bindings.ts";
import { CatalogueFaults, parseCatalogue, type CatalogueConfiguration } from "./sources/catalogue-configuration.ts";
import { simulatorSourceFactory } from "./sources/simulator/factory.ts";
import type { Db } from "./platform/context.ts";
import { staticSourceFactory } from "./sources/stac-static/factory.ts";
import { stacSourceFactory } from "./sources/stac/factory.ts";
import type { TaskingKinds } from "./sources/tasking-binding.ts";

/** The source of datasets for which the configuration names none. */
const STANDARD_SOURCE = "simulator";

/** One line for each kind of source. */
export function sourceFactories(deps: {
  readonly clock: Clock;
  readonly log: Log;
  /** Where indexes of crawled catalogues are kept; null where settings are only checked. */
  readonly db: Db | null;
}): SourceFactories {
  return {
    simulator: simulatorSourceFactory(deps),
    stac: stacSourceFactory(deps),
    "stac-static": staticSourceFactory(deps),
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
  tasking: TaskingKinds = {},
): CatalogueConfiguration {
  try {
    const kinds = { byName: factories, standard: STANDARD_SOURCE };
    return parseCatalogue(catalog?.document ?? {}, providers, kinds, tasking);
  } catch (error) {
    if (!(error instanceof CatalogueFaults)) throw error;
    throw new ConfigError(error.faults.map((fault) => `${catalog?.path ?? "the built-in catalogue"} ${fault}`));
  }
}

/** The faults that `configuredCatalogue` would name. */
export function catalogueFaults(
  catalog: NonNullable<Config["catalog"]>,
  factories: SourceFactories,
  tasking: TaskingKinds = {},
): readonly string[] {
  try {
    configuredCatalogue({ catalog }, factories, tasking);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
