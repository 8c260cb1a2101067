import { Ajv, type ErrorObject } from "ajv";
import { createCatalog, type Catalog, type RegisteredDataset } from "../providers/catalog.ts";
import type { DatasetDescriptor, ProviderDescriptor } from "../providers/provider.ts";
import type { SourceBinding, SourceFactories, SourceSettings } from "./bindings.ts";
import { CatalogueDocument, type DatasetSettings, type ProviderSettings } from "./catalogue-schema.ts";

/** Which providers and datasets there are, under which names and prices, and where their scenes come from. */
export interface CatalogueConfiguration {
  readonly catalog: Catalog;
  /** By the identifiers themselves, not by aliases; of unknown datasets the store. */
  bindingOf(provider: string, dataset: string): SourceBinding;
  /** How long a source may take for one page of a search. */
  readonly sourceTimeoutMs: number;
  /** Days that scenes of sources stay known without being asked for. */
  readonly catalogueDays: number;
}

/** Everything that is wrong with a configuration file, together. */
export class CatalogueFaults extends Error {
  override readonly name = "CatalogueFaults";
  /** One per fault: a JSON Pointer, a colon and what is wrong there. */
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`the catalogue configuration has ${faults.length} faults:\n  ${faults.join("\n  ")}`);
    this.faults = faults;
  }
}

/** What of a factory is needed to check a configuration. */
export type SettingsChecks = { readonly [Kind in keyof SourceFactories]: Pick<SourceFactories[Kind], "check"> };

const DEFAULT_SOURCE_TIMEOUT_S = 30;
const DEFAULT_CATALOGUE_DAYS = 30;
const MAX_SHOWN_FAULTS = 100;
const STORE: SourceBinding = { kind: "store" };
const SIMULATOR: SourceBinding = { kind: "simulator", settings: {} };

const matches = new Ajv({ allErrors: true, strict: false }).compile<CatalogueDocument>(CatalogueDocument);

/**
 * The configured catalogue. An empty document is the demonstration: every dataset is bound to the simulator but those
 * of offline providers, which hold what was ingested.
 *
 * @param builtIn every provider there is
 * @throws {CatalogueFaults} with all faults: form, unknown names, names used twice, bindings that cannot be
 */
export function parseCatalogue(
  document: unknown,
  builtIn: readonly ProviderDescriptor[],
  checks: SettingsChecks,
): CatalogueConfiguration {
  if (!matches(document)) throw new CatalogueFaults((matches.errors ?? []).slice(0, MAX_SHOWN_FAULTS).map(shown));
  const faults: string[] = [
    ...unknownNames(document, builtIn),
    ...stacFaults(document, builtIn, checks),
    ...bindingFaults(document),
  ];
  const bindings = new Map<string, SourceBinding>();
  const providers = builtIn.flatMap((provider): ProviderDescriptor[] => {
    const settings = document.providers?.[provider.id] ?? {};
    const datasets = provider.datasets.flatMap((dataset): DatasetDescriptor[] => {
      const own = settings.datasets?.[dataset.dataset] ?? {};
      const binding = bindingFor({ provider, dataset }, document, settings, own);
      const path = `/providers/${pointer(provider.id)}/datasets/${pointer(dataset.dataset)}/source`;
      if (binding.kind === "simulator") {
        const found = checks.simulator.check(binding.settings, { provider, dataset });
        faults.push(...found.map(({ message }) => `${path}: ${message}`));
      }
      if (binding.kind !== "store" && provider.id === "local") {
        faults.push(`${path}: imagery of the operator's own is in the store only, got "${binding.kind}"`);
      }
      if (own.enabled === false) return [];
      bindings.set(`${provider.id} ${dataset.dataset}`, binding);
      return [configured(dataset, own, binding)];
    });
    if (settings.enabled === false || datasets.length === 0) return [];
    return [{ ...provider, aliases: settings.aliases ?? provider.aliases, datasets }];
  });
  faults.push(...repeatedNames(providers));
  if (providers.length === 0) faults.push("/providers: none is left enabled");
  if (faults.length > 0) throw new CatalogueFaults(faults.slice(0, MAX_SHOWN_FAULTS));
  return {
    catalog: createCatalog(providers),
    bindingOf: (provider, dataset) => bindings.get(`${provider} ${dataset}`) ?? STORE,
    sourceTimeoutMs: (document.sourceTimeoutSeconds ?? DEFAULT_SOURCE_TIMEOUT_S) * 1000,
    catalogueDays: document.catalogueDays ?? DEFAULT_CATALOGUE_DAYS,
  };
}

function shown({ instancePath, message, params }: ErrorObject): string {
  const detail =
    "additionalProperty" in params
      ? ` "${String(params["additionalProperty"])}"`
      : "allowedValues" in params
        ? `: ${String(params["allowedValues"])}`
        : "";
  return `${instancePath === "" ? "/" : instancePath}: ${message ?? "is wrong"}${detail}`;
}

/** A name as a segment of a JSON Pointer. */
function pointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unknownNames({ providers = {} }: CatalogueDocument, builtIn: readonly ProviderDescriptor[]): string[] {
  return Object.entries(providers).flatMap(([id, { datasets = {} }]) => {
    const path = `/providers/${pointer(id)}`;
    const provider = builtIn.find((one) => one.id === id);
    if (provider === undefined) {
      return [`${path}: there is no provider "${id}", expected one of ${builtIn.map((one) => one.id).join(", ")}`];
    }
    return Object.keys(datasets)
      .filter((name) => provider.datasets.every(({ dataset }) => dataset !== name))
      .map(
        (name) =>
          `${path}/datasets/${pointer(name)}: provider "${id}" has no dataset "${name}", ` +
          `expected one of ${provider.datasets.map(({ dataset }) => dataset).join(", ")}`,
      );
  });
}

function stacFaults(
  { stac = [] }: CatalogueDocument,
  builtIn: readonly ProviderDescriptor[],
  checks: SettingsChecks,
): string[] {
  const catalog = createCatalog(builtIn);
  const faults: string[] = [];
  const bound = new Map<string, string>();
  for (const [index, settings] of stac.entries()) {
    const registered: RegisteredDataset[] = [];
    for (const [position, { provider, dataset }] of settings.datasets.entries()) {
      const path = `/stac/${index}/datasets/${position}`;
      const found = catalog.findDataset(provider, dataset);
      if (found === null || found.provider.id !== provider || found.dataset.dataset !== dataset) {
        faults.push(`${path}: there is no dataset "${dataset}" of provider "${provider}"`);
        continue;
      }
      registered.push(found);
      const other = bound.get(`${provider} ${dataset}`);
      if (other !== undefined) faults.push(`${path}: "${dataset}" is bound twice, by ${other} too`);
      bound.set(`${provider} ${dataset}`, path);
    }
    const [first] = registered;
    if (first === undefined) continue;
    for (const { path, message } of checks.stac.check(settings, first)) {
      faults.push(`/stac/${index}${path}: ${message}`);
    }
  }
  return faults;
}

/** Explicit sources of datasets that a STAC catalogue is bound to. */
function bindingFaults({ providers = {}, stac = [] }: CatalogueDocument): string[] {
  return stac.flatMap(({ datasets }, index) =>
    datasets.flatMap(({ provider, dataset }) => {
      const source = providers[provider]?.datasets?.[dataset]?.source;
      if (source === undefined) return [];
      const path = `/providers/${pointer(provider)}/datasets/${pointer(dataset)}/source`;
      return [`${path}: got "${source}", but /stac/${index} is bound to the dataset too`];
    }),
  );
}

function bindingFor(
  { provider, dataset }: RegisteredDataset,
  document: CatalogueDocument,
  ofProvider: ProviderSettings,
  own: DatasetSettings,
): SourceBinding {
  const catalogue = document.stac?.find(({ datasets }) =>
    datasets.some((one) => one.provider === provider.id && one.dataset === dataset.dataset),
  );
  if (catalogue !== undefined) return { kind: "stac", settings: { ...catalogue } satisfies SourceSettings };
  const usual = provider.offline ? "store" : (document.defaultSource ?? "simulator");
  return (own.source ?? ofProvider.source ?? usual) === "store" ? STORE : SIMULATOR;
}

/** Simulated scenes are marked as such, and free unless they are priced. */
function configured(dataset: DatasetDescriptor, own: DatasetSettings, binding: SourceBinding): DatasetDescriptor {
  const simulated = binding.kind === "simulator";
  return {
    ...dataset,
    aliases: own.aliases ?? dataset.aliases,
    creditsPerKm2: own.creditsPerKm2 ?? (simulated ? 0 : dataset.creditsPerKm2),
    minAreaKm2: own.minAreaKm2 ?? dataset.minAreaKm2,
    ...(simulated
      ? {
          name: `${dataset.name} (simulated)`,
          attribution: `Simulated imagery in the manner of ${dataset.externalProvider}; no real place or time`,
          externalProvider: "Simulator of this service",
        }
      : {}),
  };
}

function repeatedNames(providers: readonly ProviderDescriptor[]): string[] {
  const faults: string[] = [];
  const check = (name: string, owner: string, owners: Map<string, string>, path: string): void => {
    const other = owners.get(name);
    if (other !== undefined) faults.push(`${path}: "${name}" means ${other} already`);
    owners.set(name, owner);
  };
  const providerNames = new Map(providers.map(({ id }) => [id, `provider ${id}`]));
  const datasetNames = new Map(
    providers.flatMap(({ datasets }) => datasets.map(({ dataset }) => [dataset, `dataset ${dataset}`] as const)),
  );
  for (const { id, aliases, datasets } of providers) {
    const path = `/providers/${pointer(id)}`;
    for (const alias of aliases) check(alias, `provider ${id}`, providerNames, `${path}/aliases`);
    for (const one of datasets) {
      const datasetPath = `${path}/datasets/${pointer(one.dataset)}/aliases`;
      for (const alias of one.aliases) check(alias, `dataset ${one.dataset}`, datasetNames, datasetPath);
    }
  }
  return faults;
}
