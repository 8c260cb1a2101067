import { componentMembers, connectedComponents } from "@swath/kernel/raster-mathematics/connected-components";
import type { PixelGround } from "../block.ts";
import type { OpticalBands, OpticalParameters } from "../optical/optical-block.ts";
import { dilatedByDisc } from "../texture/disc-morphology.ts";
import { shadowCourse, type ShadowCourse } from "./shadow-course.ts";
import type { DarkGround } from "./shadow-direction.ts";

/** Where shadows may lie, on the pixels of the overview. Plain data. */
export interface ShadowMatch {
  readonly found: boolean;
  /** Source of the direction of the shadows. */
  readonly direction: ShadowCourse["source"] | null;
  readonly columns: number;
  /** Pixels of the grid that one pixel of the mask spans. */
  readonly step: number;
  readonly mask: Uint8Array;
  /** Near-infrared reflectance that shadows stay below, ten-thousandths. */
  readonly darkBelow: number;
}

/** Share of a cloud's shifted outline, outside of clouds, that must be dark. */
const MIN_SIMILARITY = 0.3;
/** Shadows lie among the darkest third of clear ground. The darkest tenth shows few shadows better, unless it is water. */
const DARK_SHARES = [0.1, 0.2, 0.35] as const;
const MAX_CLOUDS = 2000;
/** A shadow, with those that touch it, is at most so many times as large as the largest cloud. */
const LARGEST_SHADOW = 4;
/** Shadows are wider than their clouds by the rims that were too thin to be found. */
const RIM_PX = 3;

/**
 * Moves each cloud of the overview away from the sun by the lengths that its height allows. The length counts at which most
 * of its outline is dark (Zhu and Woodcock 2012). Below a similarity of 0.3 a cloud throws no shadow.
 */
export function matchShadows(
  bands: OpticalBands,
  clouds: Uint8Array,
  parameters: Pick<OpticalParameters, "sunAzimuthDeg" | "sunElevationDeg" | "sunSource">,
  ground: PixelGround,
  step: number,
): ShadowMatch {
  const { columns, rows, valid } = bands;
  const nothing = { found: false, direction: null, columns, step, mask: new Uint8Array(0), darkBelow: 0 };
  if (!clouds.includes(1)) return nothing;
  const nir = bands.planes.N ?? bands.planes.R!;
  const limits = darkLimits(nir, valid, clouds);
  const grounds = limits.map((limit) => ({
    bands,
    clouds,
    isDark: Uint8Array.from(nir, (value, i) => (value < limit && valid[i] === 1 && clouds[i] === 0 ? 1 : 0)),
  }));
  const members = componentMembers(connectedComponents(clouds, columns, rows));
  const largest = members.toSorted((a, b) => b.length - a.length).slice(0, MAX_CLOUDS);
  const mostPx = LARGEST_SHADOW * largest[0]!.length;
  const course = shadowCourse(
    grounds.map((shown) => ({ ...shown, isDark: withoutLarge(shown, mostPx) })),
    parameters,
    ground,
  );
  if (course === null) return nothing;
  const [darkBelow, shown] = [limits.at(-1)!, grounds.at(-1)!];
  const mask = new Uint8Array(clouds.length);
  const shifts = shiftsAlong(course);
  for (const cloud of largest) {
    const shift = bestShift(shown, cloud, shifts);
    if (shift === null) continue;
    for (const member of cloud) {
      const at = shifted(member, shift, columns, rows);
      if (at >= 0) mask[at] = 1;
    }
  }
  if (!mask.includes(1)) return nothing;
  const grown = dilatedByDisc(mask, columns, rows, step === 1 ? RIM_PX : 1);
  return {
    found: true,
    direction: course.source,
    columns,
    step,
    mask: grown,
    darkBelow: shadowLimit(shown, nir, grown, darkBelow),
  };
}

/** Dark ground without lakes and forests, which are larger than the shadow of any cloud of the scene. */
function withoutLarge({ bands: { columns, rows }, isDark }: DarkGround, mostPx: number): Uint8Array {
  const kept = isDark.slice();
  for (const part of componentMembers(connectedComponents(isDark, columns, rows))) {
    if (part.length > mostPx) for (const member of part) kept[member] = 0;
  }
  return kept;
}

type Shift = readonly [dx: number, dy: number];

function shiftsAlong({ maxPx, minPx, ux, uy }: ShadowCourse): readonly Shift[] {
  const shifts: Shift[] = [];
  for (let px = minPx; px <= maxPx; px += 1) shifts.push([Math.round(ux * px), Math.round(uy * px)]);
  return shifts;
}

function bestShift(
  { bands: { columns, rows, valid }, clouds, isDark }: DarkGround,
  cloud: Int32Array | readonly number[],
  shifts: readonly Shift[],
): Shift | null {
  let best = MIN_SIMILARITY;
  let found: Shift | null = null;
  const stride = Math.max(1, Math.floor(cloud.length / 2000));
  for (const shift of shifts) {
    let [outside, dark] = [0, 0];
    for (let m = 0; m < cloud.length; m += stride) {
      const at = shifted(cloud[m]!, shift, columns, rows);
      if (at < 0 || valid[at] === 0 || clouds[at] === 1) continue;
      outside++;
      dark += isDark[at]!;
    }
    // A shadow that is nearly all under the cloud itself proves nothing.
    if (outside * stride < 0.2 * cloud.length || dark / outside <= best) continue;
    best = dark / outside;
    found = shift;
  }
  return found;
}

function shifted(at: number, [dx, dy]: Shift, columns: number, rows: number): number {
  const row = Math.floor(at / columns);
  const x = at - row * columns + dx;
  const y = row + dy;
  return x < 0 || y < 0 || x >= columns || y >= rows ? -1 : y * columns + x;
}

function darkLimits(nir: Int16Array, valid: Uint8Array, clouds: Uint8Array): readonly number[] {
  const clear = nir.filter((_, i) => valid[i] === 1 && clouds[i] === 0).toSorted();
  return DARK_SHARES.map((share) => clear[Math.floor(share * (clear.length - 1))] ?? 0);
}

/**
 * The limit half-way between the dark ground where shadows may lie and the ground elsewhere, by their medians.
 *
 * @param zone 1 where shadows may lie
 */
function shadowLimit(
  { bands: { valid }, clouds, isDark }: DarkGround,
  nir: Int16Array,
  zone: Uint8Array,
  darkBelow: number,
): number {
  const inside = nir.filter((_, i) => zone[i] === 1 && valid[i] === 1 && clouds[i] === 0 && isDark[i] === 1);
  const outside = nir.filter((_, i) => zone[i] === 0 && valid[i] === 1 && clouds[i] === 0);
  if (inside.length === 0 || outside.length === 0) return darkBelow;
  const limit = (median(inside) + median(outside)) / 2;
  return Math.round(Math.min(limit, Math.max(darkBelow, median(inside) + 1)));
}

function median(values: Int16Array): number {
  return values.toSorted()[values.length >> 1]!;
}
