import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import type { ModelManifest } from "./models/model-manifest.ts";
import { aircraft } from "./types/aircraft/map-type.ts";
import { boats } from "./types/boats/map-type.ts";
import { burned } from "./types/burned/map-type.ts";
import { burnedPair } from "./types/burned/pair-map-type.ts";
import { cars } from "./types/cars/map-type.ts";
import { change } from "./types/change/map-type.ts";
import { changeSeries } from "./types/change-series/map-type.ts";
import { clouds } from "./types/clouds/map-type.ts";
import { imagery } from "./types/imagery/map-type.ts";
import type { MapTypeDescriptor } from "./map-type.ts";
import { methane } from "./types/methane/map-type.ts";
import { nightlight } from "./types/nightlight/map-type.ts";
import { nightlightChange } from "./types/nightlight-change/map-type.ts";
import { modelMapType } from "./types/onnx/model-map-type.ts";
import { pools } from "./types/pools/map-type.ts";
import { precipitation } from "./types/precipitation/map-type.ts";
import { precipitationSum } from "./types/precipitation/sum-map-type.ts";
import { segments } from "./types/segments/map-type.ts";
import { ships } from "./types/ships/map-type.ts";
import { shipsSeries } from "./types/ships-series/map-type.ts";
import { spectralIndexMapType } from "./types/spectral-index/map-type.ts";
import { trees } from "./types/trees/map-type.ts";
import { water } from "./types/water/map-type.ts";
import { wrun } from "./types/wrun/map-type.ts";
import { wrunc } from "./types/wrunc/map-type.ts";
import { wruncChange } from "./types/wrunc-change/map-type.ts";

const descriptors: readonly MapTypeDescriptor[] = [
  aircraft,
  boats,
  burned,
  burnedPair,
  cars,
  change,
  changeSeries,
  clouds,
  imagery,
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

const known = new Map(descriptors.map((descriptor) => [descriptor.id, descriptor]));

/** Every map type by id: those built in, and those of installed models once they are added. */
export const mapTypes: ReadonlyMap<string, MapTypeDescriptor> = known;

/**
 * Adds the map types of installed models, before anything asks for map types: in every process and thread that does.
 * Adding the same models again changes nothing.
 *
 * @throws {RangeError} when an id is that of a built-in type
 */
export function addModelMapTypes(manifests: readonly ModelManifest[]): void {
  for (const manifest of manifests) {
    const mapType = modelMapType(manifest);
    if (descriptors.some(({ id }) => id === mapType.id))
      throw new RangeError(`there is a map type ${mapType.id} already`);
    known.set(mapType.id, mapType);
  }
}
