import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import { aircraft } from "./aircraft/map-type.ts";
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
import { precipitation } from "./precipitation/map-type.ts";
import { ships } from "./ships/map-type.ts";
import { spectralIndexMapType } from "./spectral-index/map-type.ts";
import { water } from "./water/map-type.ts";
import { wrun } from "./wrun/map-type.ts";
import { wrunc } from "./wrunc/map-type.ts";
import { wruncChange } from "./wrunc-change/map-type.ts";

const descriptors: readonly MapTypeDescriptor[] = [
  aircraft,
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
  precipitation,
  ships,
  water,
  wrun,
  wrunc,
  wruncChange,
  ...Object.values(SPECTRAL_INDICES).map(spectralIndexMapType),
];

/** Every map type by id. */
export const mapTypes: ReadonlyMap<string, MapTypeDescriptor> = new Map(
  descriptors.map((descriptor) => [descriptor.id, descriptor]),
);
