import { ConfigError, type Config } from "./platform/config/config.ts";
import { providers } from "./providers/registry.ts";
import type { SourceFactories, SourceFactory } from "./sources/bindings.ts";
import { CatalogueFaults, parseCatalogue, type CatalogueConfiguration } from "./sources/catalogue-configuration.ts";

/** What makes the sources of each kind. */
export function sourceFactories(): SourceFactories {
  return { simulator: missing("simulator"), stac: missing("stac") };
}

function missing(kind: string): SourceFactory {
  return {
    shared: false,
    check: () => [{ path: "", message: `this build has no ${kind} source` }],
    create: () => {
      throw new Error(`this build has no ${kind} source`);
    },
  };
}

/**
 * The catalogue that the configuration asks for.
 *
 * @throws {ConfigError} naming every fault
 */
export function configuredCatalogue({ catalog }: Config, factories: SourceFactories): CatalogueConfiguration {
  try {
    return parseCatalogue(catalog?.document ?? { defaultSource: "store" }, providers, factories);
  } catch (error) {
    if (!(error instanceof CatalogueFaults)) throw error;
    throw new ConfigError(error.faults.map((fault) => `${catalog?.path ?? "the built-in catalogue"} ${fault}`));
  }
}
