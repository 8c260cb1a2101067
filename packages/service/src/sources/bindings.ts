import type { RegisteredDataset } from "../providers/catalog.ts";
import type { SceneSource } from "@swath/raster/source/scene-source";

/** The source that a dataset is bound to: its kind, which is a key of `SourceFactories`, and its settings. */
export interface SourceBinding {
  readonly kind: string;
  readonly settings: SourceSettings;
}

/** Settings of a source as the configuration file has them, `kind` left out. */
type SourceSettings = Readonly<Record<string, unknown>>;

/** A fault of settings; `path` is a JSON Pointer below them, empty for the settings as a whole. */
export interface SettingsFault {
  readonly path: string;
  readonly message: string;
}

/** Makes the sources of one kind. */
export interface SourceFactory {
  /** Whether the scenes are invented. Their datasets are then marked as simulated, and free unless priced. */
  readonly simulated: boolean;
  /**
   * Datasets that the kind has without settings; null when each dataset needs its own. Only a kind that offers datasets
   * can be the source of a provider or the default source.
   */
  readonly offers: ((dataset: RegisteredDataset) => boolean) | null;
  /** Everything that is wrong with the settings; no fault means that `create` can use them. */
  check(settings: SourceSettings, dataset: RegisteredDataset): readonly SettingsFault[];
  /** Opens nothing yet: a source connects when it is first asked. */
  create(dataset: RegisteredDataset, settings: SourceSettings): SceneSource;
  /** Whether one source serves all datasets that are bound with equal settings. */
  readonly shared: boolean;
}

/** By kind. */
export type SourceFactories = Readonly<Record<string, SourceFactory>>;

/** Which source answers for a dataset; disposing ends all sources that were made. */
export interface SourceBindings extends AsyncDisposable {
  /** By the identifiers themselves, not by aliases. Null: the store alone. */
  sourceOf(provider: string, dataset: string): SceneSource | null;
}

/** The configured datasets and their bindings. */
export interface BoundCatalogue {
  findDataset(this: void, provider: string, dataset: string): RegisteredDataset | null;
  /** Null: the store alone. */
  bindingOf(this: void, provider: string, dataset: string): SourceBinding | null;
}

/** Sources by dataset, each made when it is first asked for. */
export function createSourceBindings(deps: {
  readonly catalogue: BoundCatalogue;
  readonly factories: SourceFactories;
}): SourceBindings {
  const { catalogue, factories } = deps;
  const byDataset = new Map<string, SceneSource | null>();
  const made = new Map<string, SceneSource>();
  let disposed = false;

  const make = (registered: RegisteredDataset): SceneSource | null => {
    const { provider, dataset } = registered;
    const binding = catalogue.bindingOf(provider.id, dataset.dataset);
    if (binding === null) return null;
    const factory = factories[binding.kind];
    if (factory === undefined) throw new Error(`no factory makes sources of kind "${binding.kind}"`);
    const owner = factory.shared ? "" : `${provider.id} ${dataset.dataset}`;
    const key = JSON.stringify([binding.kind, owner, binding.settings]);
    const source = made.get(key) ?? factory.create(registered, binding.settings);
    made.set(key, source);
    return source;
  };

  return {
    sourceOf(provider, dataset) {
      if (disposed) throw new Error("the sources were asked after their end");
      const name = `${provider} ${dataset}`;
      const known = byDataset.get(name);
      if (known !== undefined) return known;
      const registered = catalogue.findDataset(provider, dataset);
      // Unknown names come from identifiers of scenes, of which there is no end: only known ones are kept.
      if (registered === null) return null;
      const source = make(registered);
      byDataset.set(name, source);
      return source;
    },

    async [Symbol.asyncDispose]() {
      disposed = true;
      await using stack = new AsyncDisposableStack();
      for (const source of made.values()) stack.use(source);
      made.clear();
      byDataset.clear();
    },
  };
}

/** Bindings of every dataset to the store alone. */
export const storeOnly: SourceBindings = {
  sourceOf: () => null,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};
