import { didYouMean } from "@swath/kernel/text/did-you-mean";
import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import type { ModelManifest } from "./models/model-manifest.ts";
import { aircraft } from "./types/aircraft/map-type.ts";
import { boats } from "./types/boats/map-type.ts";
import { burned } from "./types/burned/map-type.ts";
import { burnedPair } from "./types/burned-pair/map-type.ts";
import { cars } from "./types/cars/map-type.ts";
import { change } from "./types/change/map-type.ts";
import { changeSeries } from "./types/change-series/map-type.ts";
import { clouds } from "./types/clouds/map-type.ts";
import { imagery } from "./types/imagery/map-type.ts";
import type { MapTypeDescriptor } from "./map-type.ts";
import { expressionMapType } from "./types/expression/map-type.ts";
import { landCover } from "./types/land-cover/map-type.ts";
import { methane } from "./types/methane/map-type.ts";
import { nightlight } from "./types/nightlight/map-type.ts";
import { nightlightChange } from "./types/nightlight-change/map-type.ts";
import { modelMapType } from "./types/onnx/map-type.ts";
import { pools } from "./types/pools/map-type.ts";
import { precipitation } from "./types/precipitation/map-type.ts";
import { precipitationSum } from "./types/precipitation-sum/map-type.ts";
import { segments } from "./types/segments/map-type.ts";
import { ships } from "./types/ships/map-type.ts";
import { shipsSeries } from "./types/ships-series/map-type.ts";
import { spectralIndexMapType } from "./types/spectral-index/map-type.ts";
import { namedIndex } from "./types/spectral-index/named-index.ts";
import { trees } from "./types/trees/map-type.ts";
import { water } from "./types/water/map-type.ts";
import { wrun } from "./types/wrun/map-type.ts";
import { wrunc } from "./types/wrunc/map-type.ts";
import { wruncChange } from "./types/wrunc-change/map-type.ts";

/** One line per map type, in alphabetical order; the indices of the catalogue follow. */
const BUILT_IN: readonly MapTypeDescriptor[] = [
  aircraft,
  boats,
  burned,
  burnedPair,
  cars,
  change,
  changeSeries,
  clouds,
  imagery,
  landCover,
  methane,
  nightlight,
  nightlightChange,
  pools,
  precipitation,
  precipitationSum,
  segments,
  ships,
  shipsSeries,
  trees,
  water,
  wrun,
  wrunc,
  wruncChange,
  ...Object.values(SPECTRAL_INDICES).map(spectralIndexMapType),
];

/** The map types of one process or thread: built-in ones and installed models. */
export interface MapTypes {
  /** Every map type, in the order of listings. */
  readonly all: readonly MapTypeDescriptor[];
  /** The map type of an id as requests write it: one of `all`, `index:<name>` of the catalogue of indices, or `expression:<formula>`. */
  find(id: string): MapTypeDescriptor | undefined;
  /** Why an id names no map type, or null when it does. */
  faultOf(id: string): string | null;
  /** Ids by which map types are priced, each once: parameters of an index do not change its price. */
  pricedIds(ids: readonly string[]): readonly string[];
}

/** The map type of a model, whether or not it is installed now. */
export function mapTypeOfModel(manifest: ModelManifest): MapTypeDescriptor {
  return modelMapType(manifest);
}

/** Map types whose models can be replaced while others use them; `all` is another list after that. */
export interface LiveMapTypes extends MapTypes {
  /** @throws {RangeError} when two map types have one id; then nothing changes */
  replaceModels(models: readonly ModelManifest[]): void;
}

export function createLiveMapTypes(models: readonly ModelManifest[]): LiveMapTypes {
  let current = createMapTypes(models);
  return {
    get all() {
      return current.all;
    },
    find: (id) => current.find(id),
    faultOf: (id) => current.faultOf(id),
    pricedIds: (ids) => current.pricedIds(ids),
    replaceModels(next) {
      current = createMapTypes(next);
    },
  };
}

/** Map types that an id spells out, or its fault; null for ids of another form. */
function written(id: string): { readonly mapType: MapTypeDescriptor } | { readonly fault: string } | null {
  return namedIndex(id) ?? expressionMapType(id);
}

/**
 * @param models manifests of the installed models; each is the map type `model-<id>`
 * @throws {RangeError} when two map types have one id
 */
export function createMapTypes(models: readonly ModelManifest[]): MapTypes {
  const builtIn = BUILT_IN.map((mapType) => mapType.withModels?.(models) ?? mapType);
  const all = [...builtIn, ...models.map(modelMapType)];
  const byId = new Map<string, MapTypeDescriptor>();
  for (const mapType of all) {
    if (byId.has(mapType.id)) throw new RangeError(`there is a map type ${mapType.id} already`);
    byId.set(mapType.id, mapType);
  }
  const find = (id: string): MapTypeDescriptor | undefined => {
    const named = byId.has(id) ? null : written(id);
    return named !== null && "mapType" in named ? named.mapType : byId.get(id);
  };
  return {
    all,
    find,
    faultOf(id) {
      if (byId.has(id)) return null;
      const named = written(id);
      if (named === null) return `there is no map type ${id}${didYouMean(id, byId.keys())}`;
      return "fault" in named ? named.fault : null;
    },
    pricedIds: (ids) => [...new Set(ids.map((id) => find(id)?.pricedAs ?? id))],
  };
}
