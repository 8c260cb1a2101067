import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import type { ModelManifest } from "@swath/kernel/models/model-manifest";
import { aircraft } from "./aircraft/map-type.ts";
import { boats } from "./boats/map-type.ts";
import { burned } from "./burned/map-type.ts";
import { burnedPair } from "./burned/pair-map-type.ts";
import { cars } from "./cars/map-type.ts";
import { change } from "./change/map-type.ts";
import { changeSeries } from "./change-series/map-type.ts";
import { clouds } from "./clouds/map-type.ts";
import { imagery } from "./imagery/map-type.ts";
import type { MapTypeDescriptor } from "./map-type.ts";
import { methane } from "./methane/map-type.ts";
import { nightlight } from "./nightlight/map-type.ts";
import { nightlightChange } from "./nightlight-change/map-type.ts";
import { modelMapType } from "./onnx/model-map-type.ts";
import { pools } from "./pools/map-type.ts";
import { precipitation } from "./precipitation/map-type.ts";
import { precipitationSum } from "./precipitation/sum-map-type.ts";
import { segments } from "./segments/map-type.ts";
import { ships } from "./ships/map-type.ts";
import { shipsSeries } from "./ships-series/map-type.ts";
import { spectralIndexMapType } from "./spectral-index/map-type.ts";
import { trees } from "./trees/map-type.ts";
import { water } from "./water/map-type.ts";
import { wrun } from "./wrun/map-type.ts";
import { wrunc } from "./wrunc/map-type.ts";
import { wruncChange } from "./wrunc-change/map-type.ts";

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
