import type { Block } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import type { Geography } from "./geography.ts";
import type { View } from "./view.ts";
import { hashUnit, smoothStep } from "../noise.ts";
import { BLOCK_PX, eastM, nearLongitude, northM } from "./block.ts";
import { blendPixel, COVER } from "./canvas.ts";
import { climateOf } from "./geography.ts";
import { interpolateRow } from "./node-lattice.ts";
import { octaves } from "./sphere-noise.ts";
import { M } from "./spectra.ts";

/** A fire in a cell of the globe and a slot of time. */
interface Burn {
  readonly lonDeg: number;
  readonly latDeg: number;
  readonly radiusM: number;
  readonly day: number;
}

const ROW_DEG = 0.4;
const SLOT_DAYS = 150;
/** A scar can be seen for this long. */
const FADE_DAYS = 450;
const REACH_M = 8000;

const row = new Float32Array(BLOCK_PX);

/** Days after a fire until half of its scar is green again. */
function scarOf(age: number): number {
  return age < 0 || age > FADE_DAYS ? 0 : Math.exp(-age / 190) * (1 - smoothStep(FADE_DAYS - 120, FADE_DAYS, age));
}

/** Paints the scars of the fires of the past year and a half on what can burn. */
export function paintBurns(canvas: Canvas, block: Block, geography: Geography, view: View): void {
  const burns = burnsNear(block, view.day);
  if (burns.length === 0) return;
  const { fine } = geography;
  const count = fine.columns * fine.rows;
  const scar = new Float32Array(count);
  let any = false;
  for (const burn of burns) {
    const strength = scarOf(view.day - burn.day);
    if (strength < 0.03) continue;
    for (let i = 0; i < count; i += 1) {
      const distance = Math.hypot(eastM(burn, fine.lonDeg[i]!, fine.latDeg[i]!), northM(burn, fine.latDeg[i]!));
      if (distance > 1.5 * burn.radiusM) continue;
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
      const here = smoothStep(-0.05, 0.12, 1 - distance / burn.radiusM + ragged) * strength;
      if (here > scar[i]!) {
        scar[i] = here;
        any = true;
      }
    }
  }
  if (!any) return;
  const line = row.subarray(0, block.columns);
  for (let j = 0; j < block.rows; j += 1) {
    interpolateRow(fine, scar, j, line);
    for (let i = 0; i < block.columns; i += 1) {
      const burned = line[i]!;
      if (burned < 0.03) continue;
      const pixel = j * block.columns + i;
      const cover = canvas.cover[pixel]!;
      if (cover < COVER.trees || cover > COVER.shrub) continue;
      blendPixel(canvas, pixel, M.burned, canvas.light[pixel]!, 0.94 * burned);
      if (burned > 0.4) canvas.cover[pixel] = COVER.burned;
    }
  }
}

function burnsNear(block: Block, day: number): readonly Burn[] {
  const found: Burn[] = [];
  const reachDeg = (block.reachM + REACH_M) / 111_195;
  const slot = Math.floor(day / SLOT_DAYS);
  const first = Math.floor((block.centreLatDeg - reachDeg + 90) / ROW_DEG);
  const last = Math.floor((block.centreLatDeg + reachDeg + 90) / ROW_DEG);
  for (let line = Math.max(0, first); line <= last; line += 1) {
    const cos = Math.max(0.02, Math.cos((((line + 0.5) * ROW_DEG - 90) * Math.PI) / 180));
    const columns = Math.max(1, Math.round((360 * cos) / ROW_DEG));
    const middle = (nearLongitude(block.centreLonDeg, 180) / 360) * columns;
    const spread = (reachDeg / cos / 360) * columns;
    for (let column = Math.floor(middle - spread); column <= Math.floor(middle + spread); column += 1) {
      const cell = ((column % columns) + columns) % columns;
      for (let back = 0; back <= Math.ceil(FADE_DAYS / SLOT_DAYS); back += 1) {
        const key = (slot - back) * 7919 + line;
        if (hashUnit(cell, key, 701) > 0.1) continue;
        const lonDeg = ((cell + hashUnit(cell, key, 702)) / columns) * 360;
        const latDeg = (line + hashUnit(cell, key, 703)) * ROW_DEG - 90;
        const burn = {
          lonDeg: nearLongitude(lonDeg, block.centreLonDeg),
          latDeg,
          radiusM: 700 + 4300 * hashUnit(cell, key, 704) ** 2,
          day: (slot - back + hashUnit(cell, key, 705)) * SLOT_DAYS,
        };
        if (
          Math.hypot(eastM(burn, block.centreLonDeg, block.centreLatDeg), northM(burn, block.centreLatDeg)) >
          block.reachM + 1.5 * burn.radiusM
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
