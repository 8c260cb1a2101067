import type { Block } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import type { Geography } from "./geography.ts";
import type { ObjectSink } from "./object-sink.ts";
import type { View } from "./view.ts";
import { hashUnit, smoothStep } from "../noise.ts";
import { BLOCK_PX, eastM, nearLongitude, northM } from "./block.ts";
import { blendPixel, COVER, veilPixel } from "./canvas.ts";
import { climateOf } from "./geography.ts";
import { interpolateRow } from "./node-lattice.ts";
import { octaves } from "./sphere-noise.ts";
import { M } from "./spectra.ts";

/** A fire in a cell of the globe and a slot of time. */
export interface Burn {
  readonly lonDeg: number;
  readonly latDeg: number;
  readonly radiusM: number;
  /** Days since 1970 when it breaks out. */
  readonly day: number;
  /** Where the smoke goes. */
  readonly windRad: number;
}

const ROW_DEG = 0.4;
const SLOT_DAYS = 150;
/** A scar can be seen for this long. */
const FADE_DAYS = 450;
/** A fire burns for this long, and its smoke goes this far. */
const ACTIVE_DAYS = 4;
const SMOKE_M = 24_000;
const REACH_M = 8000;

const row = new Float32Array(BLOCK_PX);
const frontRow = new Float32Array(BLOCK_PX);

/** Days after a fire until half of its scar is green again. */
function scarOf(age: number): number {
  return age < 0 || age > FADE_DAYS ? 0 : Math.exp(-age / 190) * (1 - smoothStep(FADE_DAYS - 120, FADE_DAYS, age));
}

/** Part of its ground that a fire has reached after some days, as a part of its radius. */
function reached(age: number): number {
  return 0.4 + 0.6 * Math.min(1, Math.max(0, age) / ACTIVE_DAYS);
}

/** Whether a fire burns on a day. */
function burnsOn(burn: Burn, day: number): boolean {
  return day >= burn.day && day < burn.day + ACTIVE_DAYS;
}

/**
 * Paints the scars of the fires of the past year and a half on ground that can burn. Present fires get flames
 * around them.
 */
export function paintBurns(
  canvas: Canvas,
  block: Block,
  geography: Geography,
  view: View,
  sink: ObjectSink | null,
): void {
  const burns = burnsNear(block, view.day);
  const { fine } = geography;
  const count = fine.columns * fine.rows;
  let scar: Float32Array | null = null;
  const flames = new Float32Array(burns.length === 0 ? 0 : count);
  for (const burn of burns) {
    const age = view.day - burn.day;
    const strength = scarOf(age);
    if (strength < 0.03) continue;
    const active = burnsOn(burn, view.day);
    const radiusM = burn.radiusM * reached(age);
    if (active) report(sink, burn, radiusM);
    for (let i = 0; i < count; i += 1) {
      const distance = Math.hypot(eastM(burn, fine.lonDeg[i]!, fine.latDeg[i]!), northM(burn, fine.latDeg[i]!));
      if (distance > 1.5 * radiusM) continue;
      const ragged =
        0.55 *
        octaves(
          fine.place[3 * i]!,
          fine.place[3 * i + 1]!,
          fine.place[3 * i + 2]!,
          2800,
          Math.max(120, 2.2 * fine.spacingM),
          0.6,
          710,
        );
      const inside = 1 - distance / radiusM + ragged;
      const here = smoothStep(-0.05, 0.12, inside) * strength;
      scar ??= new Float32Array(count);
      if (here > scar[i]!) scar[i] = here;
      // The front is where the scar ends.
      if (active) flames[i] = Math.max(flames[i]!, 1 - Math.abs(inside - 0.06) / 0.12);
    }
  }
  if (scar === null) return;
  const line = row.subarray(0, block.columns);
  const front = frontRow.subarray(0, block.columns);
  for (let j = 0; j < block.rows; j += 1) {
    const scarred = interpolateRow(fine, scar, j, line) >= 0.03;
    const alight = interpolateRow(fine, flames, j, front) > 0;
    if (!scarred && !alight) continue;
    for (let i = 0; i < block.columns; i += 1) {
      const burned = line[i]!;
      const pixel = j * block.columns + i;
      const cover = canvas.cover[pixel]!;
      if (burned < 0.03 || cover < COVER.trees || cover > COVER.shrub) continue;
      blendPixel(canvas, pixel, M.burned, canvas.light[pixel]!, 0.94 * burned);
      if (burned > 0.4) canvas.cover[pixel] = COVER.burned;
      if (!alight || front[i]! <= 0) continue;
      // Flames flare up here and there along the front.
      const flare = front[i]! - 0.8 * hashUnit(block.column + i, block.row + j, Math.floor(view.day * 24));
      if (flare <= 0) continue;
      blendPixel(canvas, pixel, M.flame, 1, Math.min(0.9, 3 * flare));
      canvas.cover[pixel] = COVER.burned;
    }
  }
}

function report(sink: ObjectSink | null, burn: Burn, radiusM: number): void {
  sink?.({
    kind: "fire",
    plane: burn,
    x: 0,
    y: 0,
    lengthM: 2 * radiusM,
    widthM: 2 * radiusM,
    headingRad: burn.windRad,
    speedMs: 0,
  });
}

/** Lays the smoke of the fires that burn at the time over everything on the ground. */
export function paintSmoke(canvas: Canvas, block: Block, geography: Geography, view: View): void {
  if (view.radar || canvas.channels === 0) return;
  const burns = burnsNear(block, view.day).filter((burn) => burnsOn(burn, view.day));
  if (burns.length === 0) return;
  const { fine } = geography;
  const smoke = new Float32Array(fine.columns * fine.rows);
  for (const burn of burns) {
    const radiusM = burn.radiusM * reached(view.day - burn.day);
    const sin = Math.sin(burn.windRad);
    const cos = Math.cos(burn.windRad);
    for (let i = 0; i < smoke.length; i += 1) {
      const east = eastM(burn, fine.lonDeg[i]!, fine.latDeg[i]!);
      const north = northM(burn, fine.latDeg[i]!);
      const along = sin * east + cos * north;
      if (along < -radiusM || along > SMOKE_M) continue;
      const width = 0.55 * radiusM + 0.13 * Math.max(0, along);
      const across = (cos * east - sin * north) / width;
      if (across > 2.5 || across < -2.5) continue;
      const puffs = octaves(
        fine.place[3 * i]! - sin * view.waveM,
        fine.place[3 * i + 1]!,
        fine.place[3 * i + 2]! + cos * view.waveM,
        3200,
        Math.max(150, 2.2 * fine.spacingM),
        0.6,
        720,
      );
      const near = along < 0 ? 1 + along / radiusM : Math.exp(-along / (0.4 * SMOKE_M)) * (1 - along / SMOKE_M);
      const dense = near * Math.exp(-across * across) * (1 + 0.6 * puffs);
      smoke[i] = 1 - (1 - smoke[i]!) * (1 - Math.max(0, Math.min(0.85, 0.9 * dense)));
    }
  }
  const line = row.subarray(0, block.columns);
  for (let j = 0; j < block.rows; j += 1) {
    if (interpolateRow(fine, smoke, j, line) < 0.01) continue;
    for (let i = 0; i < block.columns; i += 1) {
      if (line[i]! > 0.01) veilPixel(canvas, j * block.columns + i, M.smoke, line[i]!);
    }
  }
}

/** The fires that may show in the block that was asked for last. */
let last: { readonly block: Block; readonly day: number; readonly burns: readonly Burn[] } | null = null;

function burnsNear(block: Block, day: number): readonly Burn[] {
  if (last?.block === block && last.day === day) return last.burns;
  const burns = burnsAround(block.centreLonDeg, block.centreLatDeg, block.reachM, day);
  last = { block, day, burns };
  return burns;
}

/** Fires whose scars or smoke may be seen within some metres of a place on a day; those that burn are the latest. */
export function burnsAround(centreLonDeg: number, centreLatDeg: number, reachM: number, day: number): readonly Burn[] {
  const found: Burn[] = [];
  const reachDeg = (reachM + Math.max(REACH_M, SMOKE_M)) / 111_195;
  const slot = Math.floor(day / SLOT_DAYS);
  const first = Math.floor((centreLatDeg - reachDeg + 90) / ROW_DEG);
  const lastLine = Math.floor((centreLatDeg + reachDeg + 90) / ROW_DEG);
  for (let line = Math.max(0, first); line <= lastLine; line += 1) {
    const cos = Math.max(0.02, Math.cos((((line + 0.5) * ROW_DEG - 90) * Math.PI) / 180));
    const columns = Math.max(1, Math.round((360 * cos) / ROW_DEG));
    const middle = (nearLongitude(centreLonDeg, 180) / 360) * columns;
    const spread = (reachDeg / cos / 360) * columns;
    for (let column = Math.floor(middle - spread); column <= Math.floor(middle + spread); column += 1) {
      const cell = ((column % columns) + columns) % columns;
      for (let back = 0; back <= Math.ceil(FADE_DAYS / SLOT_DAYS); back += 1) {
        const key = (slot - back) * 7919 + line;
        if (hashUnit(cell, key, 701) > 0.1) continue;
        const lonDeg = ((cell + hashUnit(cell, key, 702)) / columns) * 360;
        const latDeg = (line + hashUnit(cell, key, 703)) * ROW_DEG - 90;
        const burn = {
          lonDeg: nearLongitude(lonDeg, centreLonDeg),
          latDeg,
          radiusM: 700 + 4300 * hashUnit(cell, key, 704) ** 2,
          day: (slot - back + hashUnit(cell, key, 705)) * SLOT_DAYS,
          windRad: 2 * Math.PI * hashUnit(cell, key, 706),
        };
        if (
          Math.hypot(eastM(burn, centreLonDeg, centreLatDeg), northM(burn, centreLatDeg)) >
          reachM + (burnsOn(burn, day) ? SMOKE_M : 1.5 * burn.radiusM)
        )
          continue;
        const { wet, warm } = climateOf(burn.lonDeg, burn.latDeg);
        // Fires need something to burn, and heat.
        if (wet > 0.25 && wet < 0.78 && warm > 3) found.push(burn);
      }
    }
  }
  return found;
}
