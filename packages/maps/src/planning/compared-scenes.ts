import type { BandRole } from "@swath/kernel/bands/band-role";
import { comparisonClass } from "@swath/kernel/scenes/pairing";
import type { WantedPlane } from "./analysis.ts";
import type { PlannedScene } from "./planned-scene.ts";
import { unsupported, type Refusal } from "./refusals.ts";
import { isSentinel1, SENTINEL1_LOOKS } from "./sentinel1.ts";

const POLARISATIONS = ["VV", "VH", "HH", "HV"] as const satisfies readonly BandRole[];

/** Spectral roles that show the surface; thermal, cirrus and aerosol bands show something else. */
const SURFACE_ROLES: readonly BandRole[] = ["B", "G1", "G", "Y", "R", "RE1", "RE2", "RE3", "N", "N2", "S1", "S2"];
/** More bands repeat each other, and cost. */
const MAX_BANDS = 8;
/** Bands this much coarser than the finest are left out as long as enough others remain. */
const SAME_RESOLUTION = 1.5;
const ENOUGH_BANDS = 3;

export function isRadar({ scene }: PlannedScene): boolean {
  return comparisonClass(scene) !== "optical";
}

/** Why scenes cannot be compared, or null: radar sees the same place differently from another orbit or side. */
export function incomparable(mapType: string, scenes: readonly PlannedScene[]): Refusal | null {
  const [first] = scenes;
  if (first === undefined) return unsupported(`${mapType} needs scenes, got none`);
  const expected = comparisonClass(first.scene);
  const other = scenes.find(({ scene }) => comparisonClass(scene) !== expected);
  if (other === undefined) return null;
  return unsupported(
    `${mapType} compares scenes of one kind: ${first.scene.sceneId} is ${describeClass(expected)}, ` +
      `${other.scene.sceneId} is ${describeClass(comparisonClass(other.scene))}`,
  );
}

function said(value: string | undefined): string {
  return value === undefined || value === "" ? "unknown" : value;
}

function describeClass(comparison: string): string {
  if (comparison === "optical") return "optical";
  const [, orbit, pass, side, mode, ...polarisations] = comparison.split("|");
  return `radar (relative orbit ${said(orbit)}, pass ${said(pass)}, look side ${said(side)}, mode ${said(mode)}, ${polarisations.join(" ")})`;
}

/** Powers of the polarisations that all scenes have, the co-polarised first; empty when there is none. */
export function powerPlanes(scenes: readonly PlannedScene[], most: number): readonly (readonly WantedPlane[])[] {
  const common = POLARISATIONS.filter((role) => scenes.every((scene) => polarisationAt(scene, role) >= 0)).slice(
    0,
    most,
  );
  return scenes.map((scene) =>
    common.map((role) => ({ position: polarisationAt(scene, role), quantity: "power", resampling: "nearest" })),
  );
}

/** The refusal of radar scenes without a polarisation in common. */
export function lacksPolarisation(mapType: string, scenes: readonly PlannedScene[]): Refusal {
  const got = scenes.map((planned) => {
    const own = POLARISATIONS.filter((role) => polarisationAt(planned, role) >= 0);
    return `${planned.scene.sceneId} has ${own.length === 0 ? "none" : own.join(", ")}`;
  });
  return unsupported(`${mapType} needs a polarisation that all scenes have: ${got.join("; ")}`);
}

function polarisationAt({ scene, roles }: PlannedScene, role: BandRole): number {
  const byRole = roles.indexOf(role);
  return byRole >= 0 ? byRole : scene.bands.findIndex(({ names }) => names.some((name) => name.toUpperCase() === role));
}

/** Bands that two optical scenes have in common. */
export interface CommonBands {
  /** `planes[s]` of scene s; the same band at the same place. */
  readonly planes: readonly (readonly WantedPlane[])[];
  /** Roles of the planes, null for bands that are only known by name. */
  readonly roles: readonly (BandRole | null)[];
  /** Band of the first scene that has the coarsest pixels of those chosen. */
  readonly gridPosition: number;
  /** Pixels of that band that one pixel of the coarsest scene spans. */
  readonly reduction: number;
}

/** Surface bands of the same role or, where roles are unknown, of the same name; null when scenes share none. */
export function commonBands(scenes: readonly PlannedScene[]): CommonBands | null {
  const byRole = SURFACE_ROLES.filter((role) => scenes.every(({ roles }) => roles.includes(role)));
  const candidates =
    byRole.length > 0
      ? byRole.map((role) => ({ role, positions: scenes.map(({ roles }) => roles.indexOf(role)) }))
      : commonNames(scenes).map((positions) => ({ role: null, positions }));
  const [first] = scenes;
  if (first === undefined || candidates.length === 0) return null;
  const gsd = (scene: number, position: number): number => scenes[scene]!.scene.bands[position]!.gsd;
  const coarsest = ({ positions }: (typeof candidates)[number]): number =>
    Math.max(...positions.map((position, scene) => gsd(scene, position)));
  const finest = Math.min(...candidates.map(coarsest));
  const fine = candidates.filter((candidate) => coarsest(candidate) <= SAME_RESOLUTION * finest);
  const chosen = (fine.length >= Math.min(ENOUGH_BANDS, candidates.length) ? fine : candidates).slice(0, MAX_BANDS);
  const grid = chosen.reduce((worst, next) =>
    gsd(0, next.positions[0]!) > gsd(0, worst.positions[0]!) ? next : worst,
  );
  const gridPosition = grid.positions[0]!;
  return {
    planes: scenes.map((_, scene) =>
      chosen.map(({ positions }) => ({
        position: positions[scene]!,
        quantity: "reflectance",
        resampling: "smooth",
      })),
    ),
    roles: chosen.map(({ role }) => role),
    gridPosition,
    reduction: Math.max(1, Math.round(Math.max(...chosen.map(coarsest)) / gsd(0, gridPosition))),
  };
}

/** Positions in every scene of bands that have the same first name, in the order of the first scene. */
function commonNames(scenes: readonly PlannedScene[]): readonly (readonly number[])[] {
  const [first] = scenes;
  return (first?.scene.bands ?? []).flatMap(({ names: [name] }) => {
    const positions = scenes.map(({ scene }) => scene.bands.findIndex((band) => band.names[0] === name));
    return positions.includes(-1) ? [] : [positions];
  });
}

/** Overlapping looks are worth less than their number. */
const LOOKS_EFFECTIVE = 0.88;

/** Equivalent looks of a pixel of the scene that has the fewest, or null when nothing is known of one. */
export function leastLooks(scenes: readonly PlannedScene[]): number | null {
  const looks = scenes.map((scene) => looksPerPixel(scene) ?? Number.NaN);
  const least = Math.min(...looks);
  return Number.isNaN(least) ? null : least;
}

/** Equivalent looks of one pixel, or null when nothing is known. */
function looksPerPixel({ scene }: PlannedScene): number | null {
  if (scene.looks !== undefined && scene.looks >= 1) return scene.looks === 1 ? 1 : scene.looks * LOOKS_EFFECTIVE;
  return isSentinel1(scene) ? SENTINEL1_LOOKS : null;
}
