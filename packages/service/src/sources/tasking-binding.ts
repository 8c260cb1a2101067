import type { RegisteredDataset } from "../providers/catalog.ts";
import type { SettingsFault, SourceBinding } from "./bindings.ts";
import type { CatalogueDocument, NamedTasking } from "./catalogue-schema.ts";

/** The kinds of adapters of tasking that a configuration can name. */
export type TaskingKinds = Readonly<
  Record<string, { check(settings: SourceBinding["settings"], dataset: RegisteredDataset): readonly SettingsFault[] }>
>;

/** The adapter that a document names for a dataset. */
export interface TaskingSetting {
  /** Of the kind `none` for a dataset that takes no orders. */
  readonly binding: SourceBinding;
  /** Each starts with a path below the `tasking` of the dataset. */
  readonly faults: readonly string[];
}

/** Named like a kind of adapter: no orders. */
export const NO_TASKING = "none";

/** The binding that a document names for the orders of a dataset, with its faults. */
export function taskingBinding(
  tasking: NamedTasking,
  registered: RegisteredDataset,
  { stapi = {} }: CatalogueDocument,
  kinds: TaskingKinds,
): TaskingSetting {
  const { kind, api, ...own } = typeof tasking === "string" ? { kind: tasking } : tasking;
  const shared = api === undefined ? {} : (stapi[api] ?? {});
  const binding: SourceBinding = { kind, settings: { ...shared, ...own } };
  if (kind === NO_TASKING) {
    const extra = Object.keys(binding.settings);
    return { binding, faults: extra.map((name) => `/${name}: got a setting, expected none for "${NO_TASKING}"`) };
  }
  const factory = kinds[kind];
  if (factory === undefined) {
    const expected = [NO_TASKING, ...Object.keys(kinds)].join(", ");
    return { binding, faults: [`: there is no tasking "${kind}", expected one of ${expected}`] };
  }
  if (api !== undefined && stapi[api] === undefined) {
    return { binding, faults: [`/api: there is no "${api}" under /stapi`] };
  }
  const faults = factory.check(binding.settings, registered).map(({ path, message }) => `${path}: ${message}`);
  return { binding, faults };
}
