import type { BandRole } from "@swath/kernel/bands/band-role";
import { roleOfCommonName } from "@swath/kernel/bands/common-name";

/** Names of each role, the long one first, in the order that scenes list them. */
const ROLE_NAMES: Readonly<Record<BandRole, readonly string[]>> = {
  A: ["Coastal", "coastal", "aerosol", "deep blue"],
  B: ["Blue", "blue", "b"],
  G1: ["Green I", "green1"],
  G: ["Green", "green", "g"],
  Y: ["Yellow", "yellow", "y"],
  R: ["Red", "red", "r"],
  RE1: ["Red Edge", "red-edge", "red-edge1"],
  RE2: ["Red Edge 2", "red-edge2"],
  RE3: ["Red Edge 3", "red-edge3"],
  N: ["NIR", "near-ir"],
  N2: ["Narrow NIR", "near-ir2"],
  WV: ["Water Vapour", "water-vapour"],
  C: ["Cirrus", "cirrus"],
  S1: ["SWIR 1", "swir1"],
  S2: ["SWIR 2", "swir2"],
  T: ["Thermal", "thermal"],
  T1: ["Thermal 1", "thermal1"],
  T2: ["Thermal 2", "thermal2"],
  P: ["Panchromatic", "pan"],
  HH: ["HH", "hh"],
  HV: ["HV", "hv"],
  VH: ["VH", "vh"],
  VV: ["VV", "vv"],
};

const BAND_ROLES: ReadonlySet<string> = new Set(Object.keys(ROLE_NAMES));

export function isBandRole(value: unknown): value is BandRole {
  return typeof value === "string" && BAND_ROLES.has(value);
}

export function namesOfRole(role: BandRole): readonly string[] {
  return ROLE_NAMES[role];
}

export function isRadarRole(role: BandRole | null): boolean {
  return role === "HH" || role === "HV" || role === "VH" || role === "VV";
}

/**
 * Role of a band by its centre wavelength, from the ranges of the Awesome Spectral Indices band list; null between them.
 */
export function roleOfWavelength(wavelengthNm: number): BandRole | null {
  const limits: readonly (readonly [number, number, BandRole])[] = [
    [400, 455, "A"],
    [455, 515, "B"],
    [515, 585, "G"],
    [585, 625, "Y"],
    [625, 695, "R"],
    [695, 722, "RE1"],
    [722, 757, "RE2"],
    [757, 800, "RE3"],
    [800, 900, "N"],
    [900, 970, "WV"],
    [1360, 1390, "C"],
    [1550, 1750, "S1"],
    [2050, 2400, "S2"],
    [10_300, 11_300, "T1"],
    [11_300, 12_600, "T2"],
  ];
  return limits.find(([low, high]) => wavelengthNm >= low && wavelengthNm < high)?.[2] ?? null;
}

const WORDS: readonly (readonly [RegExp, BandRole])[] = [
  [/coastal|aerosol|ultra[ _-]?blue|deep[ _-]?blue/, "A"],
  [/red[ _-]?edge[ _-]?3/, "RE3"],
  [/red[ _-]?edge[ _-]?2/, "RE2"],
  [/red[ _-]?edge|vegetation[ _-]?red/, "RE1"],
  [/panchromatic|^pan$/, "P"],
  [/water[ _-]?vapou?r/, "WV"],
  [/cirrus/, "C"],
  [/swir[ _-]?1|short[ _-]?wave[ _-]?infra[ _-]?red[ _-]?1|swir[ _-]?16/, "S1"],
  [/swir[ _-]?2|short[ _-]?wave[ _-]?infra[ _-]?red[ _-]?2|swir[ _-]?22/, "S2"],
  [/near[ _-]?ir[ _-]?2|nir[ _-]?2|narrow[ _-]?nir/, "N2"],
  [/near[ _-]?infra[ _-]?red|near[ _-]?ir|\bnir\b|^nir|_nir/, "N"],
  [/thermal|\btirs?\b/, "T"],
  [/green[ _-]?i\b|green1/, "G1"],
  [/yellow/, "Y"],
  [/\bblue\b|(^|_)blue/, "B"],
  [/\bgreen\b|(^|_)green/, "G"],
  [/\bred\b|(^|_)red(_|$)/, "R"],
  [/^b$/, "B"],
  [/^g$/, "G"],
  [/^r$/, "R"],
  [/^(n|ir)$/, "N"],
];

/** Role of a polarisation named in a text ("iw-vv", "Sigma0_VH_db"), as a whole word. */
export function roleOfPolarisation(text: string): BandRole | null {
  const found = text.toUpperCase().match(/(?<![A-Z])(?:VV|VH|HH|HV)(?![A-Z])/g);
  const distinct = new Set(found);
  const [only] = distinct;
  return distinct.size === 1 && isBandRole(only) ? only : null;
}

/** Role of a band by a free-text name, null when it says none. */
export function roleOfText(text: string): BandRole | null {
  const lower = text.trim().toLowerCase();
  const radar = roleOfPolarisation(text);
  if (radar !== null) return radar;
  // Products derived from bands ("red-edge index", "ndvi") are not bands.
  if (/ndvi|ndwi|index|ratio|mask|class|probab/.test(lower)) return null;
  return WORDS.find(([pattern]) => pattern.test(lower))?.[1] ?? roleOfCommonName(lower);
}
