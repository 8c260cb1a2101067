import { createCatalog, type Catalog } from "../providers/catalog.ts";
import type { DatasetDescriptor, ProviderDescriptor } from "../providers/provider.ts";
import type { SourceBinding } from "./bindings.ts";
import { sensorFaults, withSensors } from "./configured-sensors.ts";
import { CatalogueDocument, type DatasetSettings } from "./catalogue-schema.ts";
import { connectionFaults } from "./stac/connection-faults.ts";
import type { ItemFilesSettings } from "./registered/item-hosts.ts";
import { datasetBinding, sharedSourceFaults, type SourceKinds } from "./dataset-binding.ts";
import { declaredProviders } from "./declared-providers.ts";
import { pointerSegment } from "./pointer-segment.ts";
import { repeatedNames } from "./repeated-names.ts";
import { settingsCheck } from "./settings-check.ts";
import { taskingBinding, type TaskingKinds } from "./tasking-binding.ts";

/** Which providers and datasets there are, under which names and prices, and where their scenes come from. */
export interface CatalogueConfiguration {
  readonly catalog: Catalog;
  /** By the identifiers themselves, not by aliases. Null: the store alone. */
  bindingOf(this: void, provider: string, dataset: string): SourceBinding | null;
  /** The adapter that the document names for orders; null where it names none. */
  taskingOf(this: void, provider: string, dataset: string): SourceBinding | null;
  /** Hosts of the files of registered items; null where none are allowed. */
  readonly items: ItemFilesSettings | null;
  /** How long a source may take for one page of a search. */
  readonly sourceTimeoutMs: number;
  /** Days that scenes of sources stay known without being asked for. */
  readonly catalogueDays: number;
}

/** Everything that is wrong with a configuration file, together. */
export class CatalogueFaults extends Error {
  override readonly name = "CatalogueFaults";
  /** One per fault: a JSON Pointer, a colon and the fault. */
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`the catalogue configuration has ${faults.length} faults:\n  ${faults.join("\n  ")}`);
    this.faults = faults;
  }
}

const DEFAULT_SOURCE_TIMEOUT_S = 30;
const DEFAULT_CATALOGUE_DAYS = 30;
const MAX_SHOWN_FAULTS = 100;

const documentCheck = settingsCheck(CatalogueDocument);

/**
 * The configured catalogue: the built-in providers and the providers of the document. An empty document binds each dataset by
 * `datasetBinding`.
 *
 * @param builtIn every provider there is without a document
 * @throws {CatalogueFaults} with all faults: form, unknown names, names used twice, impossible bindings
 */
export function parseCatalogue(
  configuration: unknown,
  builtIn: readonly ProviderDescriptor[],
  kinds: SourceKinds,
  taskingKinds: TaskingKinds = {},
): CatalogueConfiguration {
  const document = checkedDocument(configuration);
  const declared = declaredProviders(document, builtIn);
  const faults = [
    ...declared.faults,
    ...sharedSourceFaults(document, kinds),
    ...connectionFaults(document.items ?? {}).map(({ path, message }) => `/items${path}: ${message}`),
  ];
  const bindings = new Map<string, SourceBinding | null>();
  const orders = new Map<string, SourceBinding>();
  const providers = declared.providers.flatMap((provider): ProviderDescriptor[] => {
    const settings = document.providers?.[provider.id] ?? {};
    const datasets = provider.datasets.flatMap((dataset): DatasetDescriptor[] => {
      const own = settings.datasets?.[dataset.dataset] ?? {};
      const { binding, faults: found } = datasetBinding({ provider, dataset }, document, kinds);
      const path = `/providers/${pointerSegment(provider.id)}/datasets/${pointerSegment(dataset.dataset)}`;
      faults.push(...found.map((fault) => `${path}/source${fault}`));
      const faultsOfSensors = own.sensors === undefined ? [] : sensorFaults(dataset, own.sensors);
      faults.push(...faultsOfSensors.map((fault) => `${path}/sensors${fault}`));
      const simulated = binding !== null && kinds.byName[binding.kind]?.simulated === true;
      const listed = described(dataset, own, simulated);
      if (own.tasking !== undefined) {
        const tasking = taskingBinding(own.tasking, { provider, dataset: listed }, document, taskingKinds);
        faults.push(...tasking.faults.map((fault) => `${path}/tasking${fault}`));
        orders.set(`${provider.id} ${dataset.dataset}`, tasking.binding);
      }
      if (own.enabled === false) return [];
      bindings.set(`${provider.id} ${dataset.dataset}`, binding);
      return [listed];
    });
    if (settings.enabled === false || datasets.length === 0) return [];
    return [{ ...provider, aliases: settings.aliases ?? provider.aliases, datasets }];
  });
  faults.push(...repeatedNames(providers, builtIn));
  if (providers.length === 0) faults.push("/providers: none is left enabled");
  if (faults.length > 0) throw new CatalogueFaults(faults.slice(0, MAX_SHOWN_FAULTS));
  return {
    catalog: createCatalog(providers),
    bindingOf: (provider, dataset) => bindings.get(`${provider} ${dataset}`) ?? null,
    taskingOf: (provider, dataset) => orders.get(`${provider} ${dataset}`) ?? null,
    items: (document.items?.hosts ?? []).length === 0 ? null : (document.items ?? null),
    sourceTimeoutMs: (document.sourceTimeoutSeconds ?? DEFAULT_SOURCE_TIMEOUT_S) * 1000,
    catalogueDays: document.catalogueDays ?? DEFAULT_CATALOGUE_DAYS,
  };
}

/**
 * The configuration, when the schema accepts it. An empty object is accepted without the schema, whose compilation
 * takes a twentieth of the start.
 *
 * @throws {CatalogueFaults} naming what the schema refuses
 */
function checkedDocument(configuration: unknown): CatalogueDocument {
  if (isEmptyObject(configuration)) return {};
  if (documentCheck.isValid(configuration)) return configuration;
  const faults = documentCheck.faultsOf(configuration);
  throw new CatalogueFaults(faults.map(({ path, message }) => `${path === "" ? "/" : path}: ${message}`));
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** A dataset with its settings; sensors with faults are left out. */
function described(dataset: DatasetDescriptor, own: DatasetSettings, simulated: boolean): DatasetDescriptor {
  const listed = configured(dataset, own, simulated);
  const { sensors } = own;
  return sensors === undefined || sensorFaults(dataset, sensors).length > 0 ? listed : withSensors(listed, sensors);
}

/** Simulated scenes are marked as such, and free unless they are priced. */
function configured(dataset: DatasetDescriptor, own: DatasetSettings, simulated: boolean): DatasetDescriptor {
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
