import { powerPerUnit, reflectanceScale } from "../bands/radiometry.ts";
import { ROLE_WAVELENGTH_NM } from "../bands/role-wavelength.ts";
import type { BandRole } from "../bands/band-role.ts";
import type { Scene } from "../scenes/scene.ts";
import type { StoredBand, StoredRaster } from "../scenes/stored-raster.ts";
import {
  defaultStretch,
  percentileRange,
  percentileStretch,
  type Stretch,
  type StretchBand,
  type ValueRange,
} from "./stretch.ts";

/** How the picture of a scene is put together; positions are indices into `scene.bands`. */
export type Composite =
  | { readonly kind: "rgb"; readonly bands: readonly [r: number, g: number, b: number]; readonly stretch: Stretch }
  | { readonly kind: "gray"; readonly bands: readonly [number]; readonly stretch: Stretch; readonly nearest: boolean }
  | {
      readonly kind: "palette";
      readonly bands: readonly [number];
      readonly palette: NonNullable<StoredBand["palette"]>;
    }
  | {
      /** Red: co-polarised, green: cross-polarised, both in decibels; blue: the angle of their ratio. */
      readonly kind: "radar";
      readonly bands: readonly [co: number, cross: number];
      readonly decibels: readonly [co: boolean, cross: boolean];
      readonly coDb: ValueRange;
      readonly crossDb: ValueRange;
      readonly angleRad: ValueRange;
    }
  | {
      readonly kind: "radar-gray";
      readonly bands: readonly [co: number];
      readonly decibels: readonly [co: boolean];
      readonly coDb: ValueRange;
    };

export interface CompositeOptions {
  /** Whether limits are percentiles of the scene. */
  readonly percentile: boolean;
  readonly range?: ValueRange | null;
}

/** Intensities below this are noise: the floor of logarithms and of the ratio. */
export const MIN_INTENSITY = 1e-5;

const CO_RANGE_DB: ValueRange = { low: -20, high: 0 };
const CROSS_RANGE_DB: ValueRange = { low: -28, high: -5 };
/** The ratio of co- to cross-polarised power is mostly 3 to 10, so its angle needs only this part of the quarter turn. */
const ANGLE_RANGE_RAD: ValueRange = { low: 1.05, high: 1.57 };

/**
 * The picture of a scene: palette; radar as (log co, log cross, angle); red, green and blue by role or name, else the
 * infrared composite when blue is missing, else the bands nearest to 660, 560 and 480 nm, else the first three; else gray.
 *
 * @param options `range`: limits of every band instead, as stored, of radar in decibels; palettes have no limits
 * @throws {RangeError} when the scene has no bands
 */
export function planComposite(scene: Scene, raster: StoredRaster, options: CompositeOptions): Composite {
  const { bands } = raster;
  const first = bands[0];
  if (first === undefined) throw new RangeError(`scene ${scene.sceneId} has no bands, expected at least one`);
  if (first.palette !== null) return { kind: "palette", bands: [0], palette: first.palette };
  const roles = bands.map((band) => band.role);
  const radar = planRadar(bands, roles, options);
  if (radar !== null) return radar;
  const rgb = chooseRgb(scene, roles);
  const chosen = rgb ?? ([0] as const);
  const stretchBands = chosen.map((position) => {
    const stored = bands[position]!;
    const band = scene.bands[position]!;
    return { stored, bitDepth: band.bitDepth, reflectance: reflectanceScale(scene, band, stored) };
  });
  const stretch = stretchOf(stretchBands, options);
  if (rgb !== null) return { kind: "rgb", bands: rgb, stretch };
  return { kind: "gray", bands: [0], stretch, nearest: first.quantity === "class" };
}

function stretchOf(bands: readonly StretchBand[], { percentile, range = null }: CompositeOptions): Stretch {
  if (range !== null) return { ranges: bands.map(() => range), gamma: 1 };
  return (percentile ? percentileStretch(bands) : null) ?? defaultStretch(bands);
}

function planRadar(
  bands: readonly StoredBand[],
  roles: readonly (BandRole | null)[],
  { percentile, range: given = null }: CompositeOptions,
): Composite | null {
  for (const [coRole, crossRole] of [
    ["VV", "VH"],
    ["HH", "HV"],
  ] as const) {
    const co = roles.indexOf(coRole);
    const cross = roles.indexOf(crossRole);
    const only = co >= 0 ? co : cross;
    if (only < 0) continue;
    const range = (position: number, standard: ValueRange): ValueRange => {
      if (given !== null) return given;
      const stored = bands[position]!;
      // Uncalibrated numbers have no fixed range in decibels.
      return percentile || !isBackscatter(stored) ? (percentileDb(stored) ?? standard) : inUnitsOf(stored, standard);
    };
    const decibels = (position: number): boolean => bands[position]!.quantity === "backscatter-db";
    if (co < 0 || cross < 0) {
      const standard = co >= 0 ? CO_RANGE_DB : CROSS_RANGE_DB;
      return { kind: "radar-gray", bands: [only], decibels: [decibels(only)], coDb: range(only, standard) };
    }
    return {
      kind: "radar",
      bands: [co, cross],
      decibels: [decibels(co), decibels(cross)],
      coDb: range(co, CO_RANGE_DB),
      crossDb: range(cross, CROSS_RANGE_DB),
      angleRad: ANGLE_RANGE_RAD,
    };
  }
  return null;
}

function isBackscatter(stored: StoredBand): boolean {
  return stored.quantity === "backscatter-linear" || stored.quantity === "backscatter-db";
}

/** A range of power in the decibels of a band's own unit. */
function inUnitsOf(stored: StoredBand, { low, high }: ValueRange): ValueRange {
  const unitDb = 10 * Math.log10(powerPerUnit(stored));
  return { low: low - unitDb, high: high - unitDb };
}

function percentileDb(stored: StoredBand): ValueRange | null {
  const range = percentileRange(stored);
  if (range === null || stored.quantity === "backscatter-db") return range;
  const low = toDecibels(range.low);
  const high = toDecibels(range.high);
  return high > low ? { low, high } : null;
}

export function toDecibels(intensity: number): number {
  return 10 * Math.log10(Math.max(intensity, MIN_INTENSITY));
}

function chooseRgb(
  scene: Scene,
  roles: readonly (BandRole | null)[],
): readonly [r: number, g: number, b: number] | null {
  if (roles.length < 3) return null;
  const find = (role: BandRole, ...names: readonly string[]): number => {
    const byRole = roles.indexOf(role);
    if (byRole >= 0) return byRole;
    return scene.bands.findIndex((band) => band.names.some((name) => names.includes(name.toLowerCase())));
  };
  const red = find("R", "red", "r");
  const green = find("G", "green", "g");
  const blue = find("B", "blue", "b");
  if (red >= 0 && green >= 0 && blue >= 0) return [red, green, blue];
  const infrared = find("N", "nir", "near-ir", "near-ir1", "n");
  if (infrared >= 0 && red >= 0 && green >= 0) return [infrared, red, green];
  return nearestWavelengths(roles) ?? [0, 1, 2];
}

/** Three different bands nearest to 660, 560 and 480 nm; null when fewer than three have a wavelength. */
function nearestWavelengths(roles: readonly (BandRole | null)[]): readonly [number, number, number] | null {
  const known = roles.flatMap((role, position) => {
    const wavelengthNm = role === null ? undefined : ROLE_WAVELENGTH_NM[role];
    return wavelengthNm === undefined ? [] : [{ position, wavelengthNm }];
  });
  const take = (targetNm: number): number | undefined => {
    known.sort((a, b) => Math.abs(a.wavelengthNm - targetNm) - Math.abs(b.wavelengthNm - targetNm));
    return known.shift()?.position;
  };
  const [r, g, b] = [take(660), take(560), take(480)];
  return r === undefined || g === undefined || b === undefined ? null : [r, g, b];
}
