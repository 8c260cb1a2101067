import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import { imagery } from "./imagery/map-type.ts";
import type { MapTypeDescriptor } from "./map-type.ts";
import { methane } from "./methane/map-type.ts";
import { nightlight } from "./nightlight/map-type.ts";
import { nightlightChange } from "./nightlight-change/map-type.ts";
import { precipitation } from "./precipitation/map-type.ts";
import { spectralIndexMapType } from "./spectral-index/map-type.ts";

const descriptors: readonly MapTypeDescriptor[] = [
  imagery,
  methane,
  nightlight,
  nightlightChange,
  precipitation,
  ...Object.values(SPECTRAL_INDICES).map(spectralIndexMapType),
];

/** Every map type by id. */
export const mapTypes: ReadonlyMap<string, MapTypeDescriptor> = new Map(
  descriptors.map((descriptor) => [descriptor.id, descriptor]),
);
