import type { BandRole } from "@swath/kernel/bands/band-role";
import type { AnalysisBlock, AnalysisSurvey } from "../block.ts";
import type { SceneSun } from "@swath/kernel/scenes/sun-of-scene";
import { quantised } from "../texture/int-plane.ts";

/** What the plan of an optical analysis tells its algorithm. */
export interface OpticalParameters {
  /** Role of each plane of a scene, in order. */
  readonly roles: readonly BandRole[];
  /** Brings planes to reflectance: 1 where they are, else so that the brightest pixels are about 0.4. */
  readonly scale: number;
  /** Size of a pixel of the grid, metres. */
  readonly gsdM: number;
  /** Width and height of the whole grid, pixels. */
  readonly gridColumns: number;
  readonly gridRows: number;
  /** Degrees clockwise from north and above the horizon; null when unknown. */
  readonly sunAzimuthDeg: number | null;
  readonly sunElevationDeg: number | null;
  readonly sunSource: SceneSun["source"] | null;
}

/** Bands of one scene in ten-thousandths of reflectance; planes of roles that the scene lacks are absent. */
export interface OpticalBands {
  readonly columns: number;
  readonly rows: number;
  /** 1 where all bands are valid. */
  readonly valid: Uint8Array;
  readonly planes: Readonly<Partial<Record<BandRole, Int16Array>>>;
}

/** @param offset reflectance to take off each band first */
export function opticalBands(
  block: Pick<AnalysisBlock, "rect" | "scenes">,
  scene: number,
  { roles, scale }: Pick<OpticalParameters, "roles" | "scale">,
  offset: number,
): OpticalBands {
  const { planes, valid } = quantised(block.scenes[scene] ?? [], scale, offset / scale);
  return {
    columns: block.rect.columns,
    rows: block.rect.rows,
    valid,
    planes: Object.fromEntries(roles.map((role, i) => [role, planes[i]!])),
  };
}

/** The plane of a role that the plan made sure of. */
export function planeOf({ planes }: OpticalBands, role: BandRole): Int16Array {
  const plane = planes[role];
  if (plane === undefined) throw new RangeError(`the plan gave no band ${role}`);
  return plane;
}

/** The shortest visible band that the plan gave: green where there is no blue, as in colour-infrared pictures. */
export function blueOrGreen({ planes }: OpticalBands): Int16Array {
  const plane = planes.B ?? planes.G;
  if (plane === undefined) throw new RangeError("the plan gave neither band B nor band G");
  return plane;
}

/** Sentinel-2 products since processing baseline 04.00 (January 2022) carry 1000 digital numbers that are no light. */
const PROCESSING_OFFSET = 0.1;
/** Share of the darkest pixels that may be noise. */
const DARKEST = 0.001;
const FEWEST_PIXELS = 100;
const MOST_SAMPLED = 100_000;

/** What tells an offset of all bands from haze, which brightens visible light and near infrared. */
const BEYOND_HAZE: readonly BandRole[] = ["S1", "S2"];

/**
 * The offset of processing baseline 04.00 where it was left in the pixels: then, and in practice only then, even the
 * darkest pixels of all bands are above it, and those of one band hardly so. Without a shortwave infrared band nothing
 * tells it from haze, and none is assumed.
 *
 * @returns reflectance, 0 when there is none
 */
export function processingOffset(
  { overview }: AnalysisSurvey,
  scene: number,
  { roles, scale }: { readonly roles: readonly (BandRole | null)[]; readonly scale: number },
): number {
  if (scale !== 1 || !roles.some((role) => role !== null && BEYOND_HAZE.includes(role))) return 0;
  let darkest = Number.POSITIVE_INFINITY;
  for (const plane of overview.scenes[scene] ?? []) {
    const stride = Math.ceil(plane.length / MOST_SAMPLED);
    const sample = new Float32Array(Math.ceil(plane.length / stride));
    let count = 0;
    for (let i = 0; i < plane.length; i += stride) if (plane[i] === plane[i]) sample[count++] = plane[i]!;
    if (count < FEWEST_PIXELS) return 0;
    darkest = Math.min(darkest, sample.subarray(0, count).toSorted()[Math.floor(DARKEST * count)]!);
    if (darkest < PROCESSING_OFFSET) return 0;
  }
  return darkest < 1.3 * PROCESSING_OFFSET ? PROCESSING_OFFSET : 0;
}

/** How many pixels of the grid one of the overview spans. */
export function overviewStep({ gridColumns, gridRows }: OpticalParameters, columns: number, rows: number): number {
  return gridColumns >= gridRows ? Math.round(gridColumns / columns) || 1 : Math.round(gridRows / rows) || 1;
}
