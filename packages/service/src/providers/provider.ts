import type { TaskingInfos } from "./tasking-info.ts";
import type { TaskingSensors } from "./tasking-sensors.ts";

/*
 * Terminology.
 * - Provider: the company or agency that captures or publishes scenes. Dataset: one product line of a provider.
 * - Store: where scenes whose pixels this service holds are kept.
 * - Catalogue access: whether the provider has a catalogue. Without a catalogue or a bound source, only scenes in the
 *   store can be found, and a search must ask for `onlyIngested`.
 */

type DatasetType = "optical" | "sar-grd" | "sar-slc" | "probabilities" | "environmental";
type ResolutionClass = "high" | "medium-high" | "low";

/** The properties of a dataset that the service asks for; no code branches on its identifier. */
export interface DatasetDescriptor {
  readonly dataset: string;
  /** Other identifiers that requests may use. */
  readonly aliases: readonly string[];
  readonly name: string;
  readonly type: DatasetType;
  readonly resolutionClass: ResolutionClass;
  /** Finest and coarsest, metres per pixel. */
  readonly resolutionM: readonly [finest: number, coarsest: number];
  /**
   * No scene has a larger footprint, km², with room to spare; null when that is not known. Spares sources searches in
   * which none of their scenes can cover enough of the extent.
   */
  readonly largestSceneKm2: number | null;
  /** Whether scenes are delivered cut to the extent of the request, each cutting under a new identifier. */
  readonly clip: "required" | "disallowed";
  /** Whether scenes are ingested by the tiles of the store's grid that a request touches, instead of whole. */
  readonly hasStoreTiles: boolean;
  /** Whether a search for it may name no other dataset. */
  readonly requiresSeparateSearch: boolean;
  /** Whether the extent of a search is not limited. */
  readonly wholeWorld: boolean;
  /** Longest side of the bounding rectangle of a search, metres. */
  readonly maxMbrSideM: number;
  readonly attribution: string;
  /** Effective resolution of analyses, metres per pixel, by which their maximum zoom is computed. */
  readonly analysisResolutionM: number;
  /** Whether scenes in the store have thumbnails. */
  readonly thumbnail: boolean;
  /** Whether the pixels themselves can be downloaded. */
  readonly exportable: boolean;
  /** Whether users can upload rasters of it, beside what a source has. */
  readonly canBeIngested: boolean;
  /** Whether the provider has a catalogue of it. */
  readonly catalogAccess: boolean;
  /** Whether the default source may answer for it; else only a source that the configuration names for it. */
  readonly standIn: boolean;
  /** Whether archive scenes can be brought into the store from a source; else only what is there already is usable. */
  readonly archiveDownload: boolean;
  /** Scenes of datasets of one group can be compared with each other. */
  readonly changeGroup: string;
  /** The publisher of the data to the clients of the provider. */
  readonly externalProvider: string;
  /** Names of the bands to draw, red first; optical only. */
  readonly visualizationBands: readonly string[] | null;
  /** Orders for new captures; null when there are none. */
  readonly taskingInfo: TaskingInfos | null;
  /** Sensors that take the orders; null exactly where there are none. */
  readonly sensors: TaskingSensors | null;
  /** Price unless a price rule says otherwise; 0 is free. */
  readonly creditsPerKm2: number;
  /** Smallest area that is charged, km². */
  readonly minAreaKm2: number;
}

export interface ProviderDescriptor {
  readonly id: string;
  readonly name: string;
  /** Other identifiers that requests may use. */
  readonly aliases: readonly string[];
  /** Whether its scenes are the operator's own: in the store and nowhere else. */
  readonly ownImagery: boolean;
  readonly datasets: readonly DatasetDescriptor[];
}

/** Side of the largest search, metres; a rectangle must stay below it. */
export const MAX_SEARCH_SIDE_M = 400_000;
/** Where the whole world may be searched: the equator, metres. */
const EQUATOR_LENGTH_M = 40_075_017;

/** Usual effective resolution of analyses, metres. */
export const ANALYSIS_RESOLUTION_M = 0.5;
/** Price by resolution class, credits per km². */
const CLASS_PRICE: Readonly<Record<ResolutionClass, number>> = { high: 0.1, "medium-high": 0.02, low: 0 };
const TRUE_COLOR = ["red", "green", "blue"] as const;

type Defaulted = Exclude<
  keyof DatasetDescriptor,
  "dataset" | "name" | "type" | "resolutionClass" | "resolutionM" | "attribution" | "changeGroup" | "externalProvider"
>;
type DatasetInput = Omit<DatasetDescriptor, Defaulted> & Partial<Pick<DatasetDescriptor, Defaulted>>;

/** A dataset with the values most have: not clipped, searchable with others up to 400 km, priced by its class. */
export function defineDataset(input: DatasetInput): DatasetDescriptor {
  return {
    aliases: [],
    largestSceneKm2: null,
    clip: "disallowed",
    hasStoreTiles: false,
    requiresSeparateSearch: false,
    wholeWorld: false,
    maxMbrSideM: input.wholeWorld === true ? EQUATOR_LENGTH_M : MAX_SEARCH_SIDE_M,
    analysisResolutionM: ANALYSIS_RESOLUTION_M,
    thumbnail: true,
    exportable: true,
    canBeIngested: false,
    catalogAccess: true,
    standIn: input.catalogAccess ?? true,
    archiveDownload: true,
    taskingInfo: null,
    sensors: null,
    visualizationBands: input.type === "optical" ? TRUE_COLOR : null,
    creditsPerKm2: CLASS_PRICE[input.resolutionClass],
    minAreaKm2: 0,
    ...input,
  };
}
