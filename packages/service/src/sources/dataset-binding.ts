import type { RegisteredDataset } from "../providers/catalog.ts";
import type { SourceBinding, SourceFactory } from "./bindings.ts";
import type { CatalogueDocument, NamedSource } from "./catalogue-schema.ts";

/** The kinds of sources that a configuration can name. */
export interface SourceKinds {
  readonly byName: Readonly<Record<string, Pick<SourceFactory, "check" | "offers" | "simulated">>>;
  /** Default of `defaultSource`: a kind that offers datasets, or `store`. */
  readonly standard: string;
}

/** The binding of a dataset. Faults start with a path below the `source` of the dataset. */
export interface DatasetBinding {
  /** Null: the store alone. */
  readonly binding: SourceBinding | null;
  readonly faults: readonly string[];
}

/** Named like a kind of source: the store holds ingested scenes only. */
const STORE = "store";
const STORE_ALONE: DatasetBinding = { binding: null, faults: [] };

/**
 * The source that a document names for a dataset, in the settings of the dataset or of its provider. Else the default
 * source, if it offers the dataset and may stand in for its catalogue. Else the store.
 */
export function datasetBinding(
  registered: RegisteredDataset,
  document: CatalogueDocument,
  kinds: SourceKinds,
): DatasetBinding {
  const { provider, dataset } = registered;
  const ofProvider = document.providers?.[provider.id];
  const own = ofProvider?.datasets?.[dataset.dataset]?.source;
  if (own !== undefined) return ownBinding(own, registered, document, kinds);
  if (ofProvider?.source !== undefined) {
    // `sharedSourceFaults` reports a kind that offers nothing, once for the provider.
    const offers = kinds.byName[ofProvider.source]?.offers ?? null;
    return offers === null ? STORE_ALONE : ownBinding(ofProvider.source, registered, document, kinds);
  }
  const kind = document.defaultSource ?? kinds.standard;
  const standsIn = !provider.ownImagery && dataset.standIn && kinds.byName[kind]?.offers?.(registered) === true;
  return standsIn ? { binding: { kind, settings: {} }, faults: [] } : STORE_ALONE;
}

/** The binding to a source that the document names for this dataset. */
function ownBinding(
  source: NamedSource,
  registered: RegisteredDataset,
  document: CatalogueDocument,
  kinds: SourceKinds,
): DatasetBinding {
  if (source === STORE) return STORE_ALONE;
  const { kind, catalogue, ...own } = typeof source === "string" ? { kind: source } : source;
  const binding: SourceBinding = { kind, settings: { ...sharedSettings(document, catalogue), ...own } };
  if (registered.provider.ownImagery) {
    return { binding, faults: [`: imagery of the operator's own is in the store only, got "${kind}"`] };
  }
  const factory = kinds.byName[kind];
  if (factory === undefined) return { binding, faults: [`: ${unknownKind(kind, kinds)}`] };
  if (catalogue !== undefined && document.stac?.[catalogue] === undefined) {
    return { binding, faults: [`/catalogue: there is no "${catalogue}" under /stac`] };
  }
  const faults = factory.check(binding.settings, registered).map(({ path, message }) => `${path}: ${message}`);
  return { binding, faults };
}

function sharedSettings(document: CatalogueDocument, catalogue: string | undefined): Readonly<Record<string, unknown>> {
  return catalogue === undefined ? {} : (document.stac?.[catalogue] ?? {});
}

/** Faults of the sources that are named for many datasets at once. */
export function sharedSourceFaults(
  { defaultSource, providers = {} }: CatalogueDocument,
  kinds: SourceKinds,
): readonly string[] {
  const named = [
    ["/defaultSource", defaultSource] as const,
    ...Object.entries(providers).map(([id, { source }]) => [`/providers/${id}/source`, source] as const),
  ];
  return named.flatMap(([path, kind]) => {
    if (kind === undefined || kind === STORE) return [];
    const factory = kinds.byName[kind];
    if (factory === undefined) return [`${path}: ${unknownKind(kind, kinds)}`];
    return factory.offers === null ? [`${path}: "${kind}" needs settings for each dataset`] : [];
  });
}

function unknownKind(kind: string, { byName }: SourceKinds): string {
  return `there is no source "${kind}", expected one of ${[STORE, ...Object.keys(byName)].join(", ")}`;
}
