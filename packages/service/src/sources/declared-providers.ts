import { sceneIdPrefix } from "@swath/kernel/scenes/scene-id";
import {
  ANALYSIS_RESOLUTION_M,
  defineDataset,
  type DatasetDescriptor,
  type ProviderDescriptor,
} from "../providers/provider.ts";
import {
  DESCRIPTION_MEMBERS,
  type CatalogueDocument,
  type DatasetSettings,
  type ProviderSettings,
} from "./catalogue-schema.ts";
import { pointerSegment } from "./pointer-segment.ts";
import { suggested } from "./settings-check.ts";

/** The providers of a service and the faults of those that a document declares. */
export interface DeclaredProviders {
  /** Built-in providers first, in their order, then the providers of the document. */
  readonly providers: readonly ProviderDescriptor[];
  /** One per fault: a JSON Pointer, a colon and the fault. */
  readonly faults: readonly string[];
}

const PROVIDER_ID = /^[a-z][a-z0-9-]{0,31}$/u;
const DATASET_ID = /^[A-Za-z0-9][A-Za-z0-9_/-]{0,63}$/u;
/** The rest of the 128 characters of a scene identifier is for the scene and the cut. */
const MAX_PREFIX = 56;
/** Pixels of a class are as fine as this or coarser, metres. */
const MEDIUM_HIGH_FROM_M = 2;
const LOW_FROM_M = 10;

/** The built-in providers with the datasets that the document adds, and the providers of the document. */
export function declaredProviders(
  { providers = {} }: CatalogueDocument,
  builtIn: readonly ProviderDescriptor[],
): DeclaredProviders {
  const faults: string[] = [];
  const extended = builtIn.map((provider): ProviderDescriptor => {
    const settings = providers[provider.id];
    if (settings === undefined) return provider;
    const path = `/providers/${pointerSegment(provider.id)}`;
    if (settings.name !== undefined) {
      faults.push(`${path}/name: provider "${provider.id}" is built in, expected no name for it`);
    }
    return { ...provider, datasets: [...provider.datasets, ...addedDatasets(provider, settings, path, faults)] };
  });
  const ids = builtIn.map(({ id }) => id);
  const own = Object.entries(providers).flatMap(([id, settings]): ProviderDescriptor[] => {
    if (ids.includes(id)) return [];
    const path = `/providers/${pointerSegment(id)}`;
    const provider = ownProvider(id, settings, path, ids, faults);
    if (provider === null) return [];
    return [{ ...provider, datasets: addedDatasets(provider, settings, path, faults) }];
  });
  return { providers: [...extended, ...own], faults };
}

/** A provider of the document, its datasets left out. Null and a fault when it is none. */
function ownProvider(
  id: string,
  settings: ProviderSettings,
  path: string,
  builtIn: readonly string[],
  faults: string[],
): ProviderDescriptor | null {
  if (settings.name === undefined) {
    faults.push(
      `${path}: there is no provider "${id}", ${suggested(id, builtIn)}expected one of ${builtIn.join(", ")}, ` +
        'or a "name" for a provider of your own',
    );
    return null;
  }
  if (!PROVIDER_ID.test(id)) {
    faults.push(
      `${path}: got the identifier "${id}", expected a lower-case letter and then ` +
        "up to 31 lower-case letters, digits and dashes",
    );
    return null;
  }
  if (Object.keys(settings.datasets ?? {}).length === 0) {
    faults.push(`${path}/datasets: got none, expected one at least for a provider of your own`);
    return null;
  }
  return { id, name: settings.name, aliases: [], ownImagery: false, datasets: [] };
}

/** The datasets of the document that are not built in. */
function addedDatasets(
  provider: ProviderDescriptor,
  { datasets = {}, source }: ProviderSettings,
  path: string,
  faults: string[],
): readonly DatasetDescriptor[] {
  const builtIn = provider.datasets.map(({ dataset }) => dataset);
  return Object.entries(datasets).flatMap(([id, settings]) => {
    const at = `${path}/datasets/${pointerSegment(id)}`;
    const described = DESCRIPTION_MEMBERS.filter((member) => Object.hasOwn(settings, member));
    if (builtIn.includes(id)) {
      faults.push(
        ...described.map((name) => `${at}/${name}: dataset "${id}" is built in, expected no "${name}" for it`),
      );
      return [];
    }
    const added = { provider, id, settings, isStored: isStored(settings.source ?? source) };
    const found = datasetFaults(added, builtIn, described);
    faults.push(...found.map((fault) => at + fault));
    return found.length > 0 ? [] : [ownDataset(added)];
  });
}

/** A dataset that is not built in. */
interface AddedDataset {
  readonly provider: ProviderDescriptor;
  readonly id: string;
  readonly settings: DatasetSettings;
  /** Whether no source has scenes of it. */
  readonly isStored: boolean;
}

/** Faults of a dataset that is not built in, each beginning with its place below the dataset. */
function datasetFaults(
  { provider: { id: provider }, id, settings, isStored: stored }: AddedDataset,
  builtIn: readonly string[],
  described: readonly string[],
): readonly string[] {
  if (described.length === 0 && builtIn.length > 0) {
    return [
      `: provider "${provider}" has no dataset "${id}", ${suggested(id, builtIn)}expected one of ${builtIn.join(", ")}, ` +
        'or "name", "type" and "resolutionM" of a dataset of your own',
    ];
  }
  const { name, type, resolutionM: [finest = 0, coarsest = 0] = [] } = settings;
  const faults: string[] = [];
  if (!DATASET_ID.test(id)) {
    faults.push(`: got the identifier "${id}", expected a letter or digit and then letters, digits, _, - and /`);
  } else if (sceneIdPrefix(provider, id).length > MAX_PREFIX) {
    faults.push(`: the identifiers of provider and dataset are too long for scenes, expected ${MAX_PREFIX} characters`);
  }
  for (const [member, value] of [
    ["name", name],
    ["type", type],
  ] as const) {
    if (value === undefined) faults.push(`: got no "${member}", which a dataset of your own needs`);
  }
  if (finest === 0) faults.push(': got no "resolutionM", which a dataset of your own needs');
  else if (coarsest < finest) {
    faults.push(`/resolutionM: got [${finest}, ${coarsest}], expected the finest pixel first, then the coarsest`);
  }
  if (settings.visualizationBands !== undefined && type !== "optical") {
    faults.push(
      `/visualizationBands: got bands of a dataset of type "${type ?? ""}", expected them of "optical" alone`,
    );
  }
  if (settings.canBeIngested === false && stored) {
    faults.push('/canBeIngested: got false, expected true or a "source": scenes come from uploads or from a source');
  }
  return faults;
}

function isStored(source: DatasetSettings["source"]): boolean {
  return source === undefined || source === "store";
}

function ownDataset({ provider, id, settings, isStored: stored }: AddedDataset): DatasetDescriptor {
  const { name = id, type = "optical", resolutionM: [finest = 1, coarsest = finest] = [] } = settings;
  const resolutionClass = settings.resolutionClass ?? classOf(finest);
  const { thumbnail, exportable, clip } = settings;
  return defineDataset({
    dataset: id,
    name,
    type,
    resolutionM: [finest, coarsest],
    resolutionClass,
    attribution: settings.attribution ?? provider.name,
    externalProvider: settings.externalProvider ?? provider.name,
    changeGroup: settings.changeGroup ?? provider.id,
    analysisResolutionM: settings.analysisResolutionM ?? Math.max(finest, ANALYSIS_RESOLUTION_M),
    canBeIngested: settings.canBeIngested ?? (stored && type !== "sar-slc"),
    standIn: false,
    ...(clip === undefined ? {} : { clip }),
    ...(thumbnail === undefined ? {} : { thumbnail }),
    ...(exportable === undefined ? {} : { exportable }),
    ...(settings.visualizationBands === undefined ? {} : { visualizationBands: settings.visualizationBands }),
  });
}

function classOf(finestM: number): DatasetDescriptor["resolutionClass"] {
  if (finestM < MEDIUM_HIGH_FROM_M) return "high";
  return finestM < LOW_FROM_M ? "medium-high" : "low";
}
