import type { BandRole } from "./band-role.ts";
import { roleOfCommonName } from "./common-name.ts";
import { isRole, type SpectralIndex } from "./spectral-index.ts";

/** A band as formulas know it. */
export interface NamedBand {
  /** Aliases, the long name first. */
  readonly names: readonly string[];
  readonly role: BandRole | null;
}

/** Sensors with one near-infrared band use it for both roles (Landsat 8/9 band 5, PlanetScope band 8). */
const SUBSTITUTES: Readonly<Partial<Record<BandRole, BandRole>>> = { N: "N2", N2: "N", T: "T1", T1: "T" };

/** The bands that an index reads of a scene. */
export interface IndexBands {
  /** Position of the band by the name that the formula gives it. */
  readonly positions: ReadonlyMap<string, number>;
  /** Names without a band. */
  readonly missing: readonly string[];
}

/** The bands of a scene that the names of an index mean, roles first. */
export function indexBands(
  { roles, bandNames = [] }: Pick<SpectralIndex, "roles" | "bandNames">,
  bands: readonly NamedBand[],
): IndexBands {
  const found = [
    ...roles.map((role) => [role, bandOfRole(role, bands)] as const),
    ...bandNames.map((name) => [name, bandNamed(name, bands)] as const),
  ];
  return {
    positions: new Map(found.filter(([, position]) => position >= 0)),
    missing: found.filter(([, position]) => position < 0).map(([name]) => name),
  };
}

/**
 * Position of the band that a name means, -1 when there is none. The first of these rules that finds a band decides:
 * an equal name, the code of a role, a name that differs only in case, `_`, `-` or spaces, a STAC common name.
 */
export function bandNamed(name: string, bands: readonly NamedBand[]): number {
  const exact = bands.findIndex(({ names }) => names.includes(name));
  if (exact >= 0) return exact;
  const ofRole = isRole(name) ? bandOfRole(name, bands) : -1;
  if (ofRole >= 0) return ofRole;
  const wanted = plain(name);
  const alike = bands.findIndex(({ names }) => names.some((one) => plain(one) === wanted));
  if (alike >= 0) return alike;
  const role = roleOfCommonName(name);
  return role === null ? -1 : bandOfRole(role, bands);
}

function bandOfRole(role: BandRole, bands: readonly NamedBand[]): number {
  const substitute = SUBSTITUTES[role];
  const exact = bands.findIndex((band) => band.role === role);
  return exact < 0 && substitute !== undefined ? bands.findIndex((band) => band.role === substitute) : exact;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, "");
}
