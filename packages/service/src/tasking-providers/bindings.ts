import type { RegisteredDataset } from "../providers/catalog.ts";
import type { SettingsFault } from "../sources/bindings.ts";
import type { TaskingProvider, TaskingProviders } from "./tasking-provider.ts";

/** The adapter that takes the orders of a dataset: its kind, which is a key of `TaskingFactories`, and its settings. */
export interface TaskingBinding {
  readonly kind: string;
  readonly settings: TaskingSettings;
}

/** Settings of an adapter as the configuration file has them, `kind` left out. */
export type TaskingSettings = Readonly<Record<string, unknown>>;

/** Makes the adapters of one kind. */
export interface TaskingFactory {
  /** Datasets that the kind has without settings; null when each dataset needs settings. */
  readonly offers: ((dataset: RegisteredDataset) => boolean) | null;
  /** Everything that is wrong with the settings; no fault means that `create` can use them. */
  check(settings: TaskingSettings, dataset: RegisteredDataset): readonly SettingsFault[];
  /** Opens nothing yet: an adapter connects when it is first asked. */
  create(dataset: RegisteredDataset, settings: TaskingSettings): TaskingProvider;
  /** Whether one adapter serves all datasets that are bound with equal settings. */
  readonly shared: boolean;
}

/** By kind. */
export type TaskingFactories = Readonly<Record<string, TaskingFactory>>;

/** The configured datasets and the adapters that take their orders. */
export interface BoundTasking {
  findDataset(this: void, provider: string, dataset: string): RegisteredDataset | null;
  /** Null: the dataset has no tasking. */
  taskingOf(this: void, registered: RegisteredDataset): TaskingBinding | null;
}

/** The binding of a dataset for which the configuration names none; null for a dataset that the kind does not offer. */
export function standardTasking(
  registered: RegisteredDataset,
  kind: string,
  factories: TaskingFactories,
): TaskingBinding | null {
  if (registered.dataset.taskingInfo === null) return null;
  return factories[kind]?.offers?.(registered) === true ? { kind, settings: {} } : null;
}

/** Adapters by dataset, each made when it is first asked for. */
export function createTaskingProviders(deps: {
  readonly catalogue: BoundTasking;
  readonly factories: TaskingFactories;
}): TaskingProviders {
  const { catalogue, factories } = deps;
  const byDataset = new Map<RegisteredDataset, TaskingProvider | null>();
  const made = new Map<string, TaskingProvider>();
  let disposed = false;

  const make = (registered: RegisteredDataset): TaskingProvider | null => {
    const binding = catalogue.taskingOf(registered);
    if (binding === null) return null;
    const factory = factories[binding.kind];
    if (factory === undefined) throw new Error(`no factory makes adapters of kind "${binding.kind}"`);
    const owner = factory.shared ? "" : `${registered.provider.id} ${registered.dataset.dataset}`;
    const key = JSON.stringify([binding.kind, owner, binding.settings]);
    const adapter = made.get(key) ?? factory.create(registered, binding.settings);
    made.set(key, adapter);
    return adapter;
  };

  return {
    providerOf(provider, dataset) {
      if (disposed) throw new Error("the tasking providers were asked after their end");
      const registered = catalogue.findDataset(provider, dataset);
      if (registered === null) return null;
      const known = byDataset.get(registered);
      if (known !== undefined) return known;
      const adapter = make(registered);
      byDataset.set(registered, adapter);
      return adapter;
    },

    async [Symbol.asyncDispose]() {
      disposed = true;
      await using stack = new AsyncDisposableStack();
      for (const adapter of made.values()) stack.use(adapter);
      made.clear();
      byDataset.clear();
    },
  };
}
