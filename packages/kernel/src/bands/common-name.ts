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

/** The common name of eo v2 of each role that has one. */
const COMMON_NAME_OF_ROLE: Readonly<Partial<Record<BandRole, string>>> = {
  A: "coastal",
  B: "blue",
  G1: "green05",
  G: "green",
  Y: "yellow",
  R: "red",
  RE1: "rededge071",
  RE2: "rededge075",
  RE3: "rededge078",
  N: "nir",
  N2: "nir08",
  WV: "nir09",
  C: "cirrus",
  S1: "swir16",
  S2: "swir22",
  T: "lwir",
  T1: "lwir11",
  T2: "lwir12",
  P: "pan",
};

/** STAC `eo:common_name` of a role; null for radar roles. */
export function commonNameOf(role: BandRole): string | null {
  return COMMON_NAME_OF_ROLE[role] ?? null;
}

/** Role of a STAC common name, whatever its case; null for other names. */
export function roleOfCommonName(name: string): BandRole | null {
  const lower = name.toLowerCase();
  return Object.hasOwn(ROLE_OF_COMMON_NAME, lower) ? ROLE_OF_COMMON_NAME[lower]! : null;
}
