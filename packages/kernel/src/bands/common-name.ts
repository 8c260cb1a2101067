import type { BandRole } from "./band-role.ts";

/** STAC `eo:common_name`, including the deprecated "rededge" and "lwir". */
const ROLE_OF_COMMON_NAME: Readonly<Record<string, BandRole>> = {
  coastal: "A",
  blue: "B",
  green: "G",
  yellow: "Y",
  red: "R",
  rededge: "RE1",
  rededge071: "RE1",
  rededge075: "RE2",
  rededge078: "RE3",
  nir: "N",
  nir08: "N",
  nir09: "WV",
  cirrus: "C",
  swir16: "S1",
  swir22: "S2",
  lwir: "T",
  lwir11: "T1",
  lwir12: "T2",
  pan: "P",
  green05: "G1",
};

/** Role of a STAC common name, whatever its case; null for other names. */
export function roleOfCommonName(name: string): BandRole | null {
  const lower = name.toLowerCase();
  return Object.hasOwn(ROLE_OF_COMMON_NAME, lower) ? ROLE_OF_COMMON_NAME[lower]! : null;
}
