import type { Block } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import type { ObjectSink } from "./object-sink.ts";
import type { Vessel } from "./vessel.ts";
import type { View } from "./view.ts";
import { hashUnit } from "../noise.ts";
import { frameOf, nearLongitude } from "./block.ts";
import { shoreOf } from "./geography.ts";
import { paintVessel, shipSize } from "./vessel.ts";

/** One ship at most is in each cell of the sea. */
const ROW_DEG = 0.045;
/** A ship keeps course for this long before another takes its place. */
const WATCH_MS = 2 * 3_600_000;
/** Coarser pixels show no ships. */
const FINEST_M = 45;
const REACH_M = 9000;

/** Paints the ships that are at sea at the time. */
export function paintShips(canvas: Canvas, block: Block, view: View, sink: ObjectSink | null): void {
  if (block.pixelM > FINEST_M) return;
  canvas.over = "all";
  const reachDeg = (block.reachM + REACH_M) / 111_195;
  const watch = Math.floor(view.timeMs / WATCH_MS);
  const seconds = (view.timeMs - (watch + 0.5) * WATCH_MS) / 1000;
  const first = Math.floor((block.centreLatDeg - reachDeg + 90) / ROW_DEG);
  const last = Math.floor((block.centreLatDeg + reachDeg + 90) / ROW_DEG);
  for (let line = Math.max(0, first); line <= last; line += 1) {
    const cos = Math.max(0.02, Math.cos((((line + 0.5) * ROW_DEG - 90) * Math.PI) / 180));
    const columns = Math.max(1, Math.round((360 * cos) / ROW_DEG));
    const middle = (nearLongitude(block.centreLonDeg, 180) / 360) * columns;
    const spread = (reachDeg / cos / 360) * columns;
    for (let column = Math.floor(middle - spread); column <= Math.floor(middle + spread); column += 1) {
      const cell = ((column % columns) + columns) % columns;
      const key = Math.imul(line, 7919) ^ Math.imul(watch % 1_000_003, 31);
      const chance = hashUnit(cell, key, 911);
      if (chance > 0.6) continue;
      const lonDeg = nearLongitude(((cell + 0.1 + 0.8 * hashUnit(cell, key, 912)) / columns) * 360, block.centreLonDeg);
      const latDeg = (line + 0.1 + 0.8 * hashUnit(cell, key, 913)) * ROW_DEG - 90;
      const shore = shoreOf(lonDeg, latDeg);
      // Most traffic keeps within a day of the coast.
      if (shore > -500 || chance > 0.06 + 0.54 * Math.exp((shore + 500) / 25_000)) continue;
      const [lengthM, beamM] = shipSize(shore > -1800 ? 0.5 * hashUnit(cell, key, 914) : hashUnit(cell, key, 914));
      const anchored = shore > -6000 && hashUnit(cell, key, 915) < 0.45;
      const speedMs = anchored ? 0 : 3 + 8 * hashUnit(cell, key, 916);
      const headingRad = 2 * Math.PI * hashUnit(cell, key, 917);
      // Ships near the shore would run aground within the watch.
      const travelled = shore > -8000 ? seconds * speedMs * 0.02 : seconds * speedMs;
      const plane = { lonDeg, latDeg };
      const vessel: Vessel = {
        x: Math.sin(headingRad) * travelled,
        y: Math.cos(headingRad) * travelled,
        lengthM,
        beamM,
        headingRad,
        speedMs,
        seed: Math.imul(cell, 31) ^ key,
      };
      paintVessel({ canvas, block, frame: frameOf(block, plane) }, plane, vessel, view, sink);
    }
  }
}
