import type { BandRole } from "./band-role.ts";
import { formulaNames, parseFormula } from "./formula.ts";
import { ROLE_WAVELENGTH_NM } from "./role-wavelength.ts";
import catalogue from "./vendor/awesome-spectral-indices/spectral-indices-dict.json" with { type: "json" };
import constants from "./vendor/awesome-spectral-indices/constants.json" with { type: "json" };

/** A spectral index as data. Formula names are band roles, parameters or kernel terms such as `kNR`. */
export interface SpectralIndex {
  /** Lower case, unique, safe in URLs: the id of its map type. */
  readonly id: string;
  readonly shortName: string;
  readonly longName: string;
  readonly formula: string;
  /** vegetation, water, burn, snow, urban, soil, radar, kernel or clouds. */
  readonly domain: string;
  readonly reference: string;
  /** Bands the formula reads, directly or through kernel terms. */
  readonly roles: readonly BandRole[];
  /** Values of every name that is neither a band nor a kernel term; of indices with kernels also `sigma`. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly kernels: readonly KernelTerm[];
  /** Formulas of callers: names that a scene resolves by `bandNamed`; absent from the catalogue. */
  readonly bandNames?: readonly string[];
}

/** The Gaussian kernel `exp(-(a - b)^2 / (2 sigma^2))`, with the parameter `sigma` or, where that is 0, the mean of two bands, between two bands or a band and a parameter. */
export interface KernelTerm {
  readonly name: string;
  readonly a: string;
  readonly b: string;
}

/**
 * The default of `sigma`: it stands for the mean of two bands of the pixel, near infrared and red in most indices. A fixed
 * width makes an index flat where reflectance is low.
 *
 * @see Camps-Valls et al. 2021, doi:10.1126/sciadv.abc7447
 */
export const PIXEL_SIGMA = 0;

/** The first kernel between two bands, whose mean is the default width of all kernels of an index. Null without one. */
export function kernelWidthPair({ kernels }: Pick<SpectralIndex, "kernels">): KernelTerm | null {
  return kernels.find(({ a, b }) => a !== b && isRole(a) && isRole(b)) ?? null;
}

const OPTICAL_ROLES = ["A", "B", "G1", "G", "Y", "R", "RE1", "RE2", "RE3", "N", "N2", "WV", "C", "S1", "S2"] as const;
const OTHER_ROLES = ["T", "T1", "T2", "P", "HH", "HV", "VH", "VV"] as const;
const ROLES: ReadonlySet<string> = new Set<BandRole>([...OPTICAL_ROLES, ...OTHER_ROLES]);

/** Short names that differ only in case. */
const DISTINCT_IDS: Readonly<Record<string, string>> = { BaI: "bai-soil", mSR705: "msr705-445" };

/** The catalogue's one default per name is wrong where a paper fixes its own: SAVI's L (Huete 1988). */
const PARAMETERS_BY_INDEX: Readonly<Record<string, Readonly<Record<string, number>>>> = { SAVI: { L: 0.5 } };

/** Whether a text is the code of a role. */
export function isRole(name: string): name is BandRole {
  return ROLES.has(name);
}

function parameterDefault(name: string): number | null {
  const wavelengthOf = /^lambda(.+)$/.exec(name)?.[1];
  if (wavelengthOf !== undefined && isRole(wavelengthOf)) return ROLE_WAVELENGTH_NM[wavelengthOf] ?? null;
  const entry = Object.entries(constants).find(([key]) => key === name);
  return entry?.[1].default ?? null;
}

function kernelTerm(name: string): KernelTerm | null {
  const [, a, b] = /^k([A-Z])([A-Z])$/.exec(name) ?? [];
  return a === undefined || b === undefined ? null : { name, a, b };
}

function readIndex(entry: (typeof catalogue.SpectralIndices)["NDVI"]): SpectralIndex | null {
  const names = formulaNames(parseFormula(entry.formula));
  const kernels: KernelTerm[] = [];
  const roles = new Set<BandRole>();
  const parameters: Record<string, number> = {};
  const read = (name: string): boolean => {
    if (isRole(name)) {
      roles.add(name);
      return true;
    }
    const value = PARAMETERS_BY_INDEX[entry.short_name]?.[name] ?? parameterDefault(name);
    if (value === null) return false;
    parameters[name] = value;
    return true;
  };
  for (const name of names) {
    const kernel = kernelTerm(name);
    if (kernel !== null) kernels.push(kernel);
    const known = kernel === null ? read(name) : read(kernel.a) && read(kernel.b);
    if (!known) return null;
  }
  if (kernels.length > 0) parameters["sigma"] = PIXEL_SIGMA;
  return {
    id: DISTINCT_IDS[entry.short_name] ?? entry.short_name.toLowerCase(),
    shortName: entry.short_name,
    longName: entry.long_name,
    formula: entry.formula,
    domain: entry.application_domain,
    reference: entry.reference,
    roles: [...roles],
    parameters,
    kernels,
  };
}

/**
 * Every index of the catalogue that has a value for each of its parameters, by id. Indices that need measured
 * radiation (PAR) are left out.
 *
 * @see Montero et al. 2023, Scientific Data 10, 197
 */
export const SPECTRAL_INDICES: Readonly<Record<string, SpectralIndex>> = Object.fromEntries(
  Object.values(catalogue.SpectralIndices)
    .map(readIndex)
    .filter((index) => index !== null)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((index) => [index.id, index]),
);
