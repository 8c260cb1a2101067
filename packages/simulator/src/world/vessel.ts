import type { Plane } from "./block.ts";
import type { ObjectSink } from "./object-sink.ts";
import type { Pen } from "./pen.ts";
import type { View } from "./view.ts";
import { hashUnit } from "../noise.ts";
import { COVER } from "./canvas.ts";
import { fillShape, rectangle, shadeShape, shape, touches } from "./pen.ts";
import { M } from "./spectra.ts";

/** A ship on the plane of its cell or harbour. */
export interface Vessel {
  readonly x: number;
  readonly y: number;
  readonly lengthM: number;
  readonly beamM: number;
  readonly headingRad: number;
  /** 0 when moored. */
  readonly speedMs: number;
  readonly seed: number;
}

/** Length and beam of ships as they are at sea: many small ones, few giants. */
export function shipSize(chance: number): readonly [lengthM: number, beamM: number] {
  const lengthM = 20 + 330 * chance ** 2.4;
  return [lengthM, lengthM / (4.2 + Math.min(3, lengthM / 90))];
}

const STACKS = [M.carRed, M.roofGrey, M.bluePaint, M.roofWhite, M.roofTile, M.carDark] as const;

/** Paints a ship with its deck, its shadow and, under way, its wake. */
export function paintVessel(pen: Pen, plane: Plane, vessel: Vessel, view: View, sink: ObjectSink | null): void {
  const { x, y, lengthM, beamM, headingRad, speedMs, seed } = vessel;
  const wakeM = speedMs > 1 ? lengthM * 3 + speedMs * 90 : 0;
  if (!touches(pen.frame, x, y, lengthM + wakeM)) return;
  const sin = Math.sin(headingRad);
  const cos = Math.cos(headingRad);
  const outline = (points: readonly number[], dx = 0, dy = 0): number => {
    for (let k = 0; k < points.length / 2; k += 1) {
      const ahead = points[2 * k]! * lengthM;
      const right = points[2 * k + 1]! * beamM;
      shape[2 * k] = x + dx + sin * ahead + cos * right;
      shape[2 * k + 1] = y + dy + cos * ahead - sin * right;
    }
    return points.length / 2;
  };
  if (wakeM > 0) {
    const faint = view.radar ? 0.3 : 0.5;
    for (const [reach, wide, strength] of [
      [1, 2.2, 0.35],
      [0.45, 1.5, 0.45],
      [0.15, 1.1, 0.6],
    ] as const) {
      shape[0] = x - sin * lengthM * 0.45 + cos * beamM * 0.4;
      shape[1] = y - cos * lengthM * 0.45 - sin * beamM * 0.4;
      shape[2] = x - sin * (lengthM / 2 + wakeM * reach) + cos * beamM * wide;
      shape[3] = y - cos * (lengthM / 2 + wakeM * reach) - sin * beamM * wide;
      shape[4] = x - sin * (lengthM / 2 + wakeM * reach) - cos * beamM * wide;
      shape[5] = y - cos * (lengthM / 2 + wakeM * reach) + sin * beamM * wide;
      shape[6] = x - sin * lengthM * 0.45 - cos * beamM * 0.4;
      shape[7] = y - cos * lengthM * 0.45 + sin * beamM * 0.4;
      fillShape(pen, 4, M.foam, 0.75, faint * strength, COVER.none);
    }
    // The arms of the bow wave open at 19.5 degrees, whatever the speed.
    for (const side of [-1, 1]) {
      const arm = wakeM * 0.8;
      const turned = headingRad + Math.PI + side * 0.34;
      const bx = x + sin * lengthM * 0.42;
      const by = y + cos * lengthM * 0.42;
      rectangle(
        bx + (Math.sin(turned) * arm) / 2,
        by + (Math.cos(turned) * arm) / 2,
        turned,
        arm,
        Math.max(2.5, beamM * 0.3),
      );
      fillShape(pen, 4, M.foam, 0.7, faint * 0.3, COVER.none);
    }
  }
  if (!view.radar && pen.block.pixelM < 6) {
    const azimuth = (view.sunAzimuthDeg * Math.PI) / 180;
    const run = (beamM * 0.5) / Math.tan((Math.max(18, view.sunElevationDeg) * Math.PI) / 180);
    shadeShape(pen, outline(HULL, -Math.sin(azimuth) * run, -Math.cos(azimuth) * run), 0.5);
  }
  const small = lengthM < 45;
  const bulk = hashUnit(seed, 3, 900);
  // Radar sees corners everywhere on a ship; the larger it is, the more of them line up.
  const glare = view.radar ? 0.5 + lengthM / 120 : small ? 1 : 0.9;
  fillShape(pen, outline(HULL), view.radar ? M.hull : small ? M.wingWhite : M.hull, glare, 1, COVER.water);
  if (!view.radar && !small) {
    fillShape(
      pen,
      outline(DECK),
      bulk < 0.35 ? M.roofTile : bulk < 0.65 ? M.roofGrey : M.concrete,
      0.8,
      1,
      COVER.water,
    );
    if (bulk >= 0.65 && pen.block.pixelM < 8) paintContainers(pen, vessel, outline);
  }
  fillShape(pen, outline(BRIDGE), view.radar ? M.metal : M.wingWhite, view.radar ? 2 : 1, 1, COVER.water);
  sink?.({ kind: "ship", plane, x, y, lengthM, widthM: beamM, headingRad, speedMs });
}

function paintContainers(pen: Pen, vessel: Vessel, outline: (points: readonly number[]) => number): void {
  const bays = Math.max(3, Math.floor(vessel.lengthM / 16));
  for (let bay = 0; bay < bays; bay += 1) {
    const from = -0.24 + (0.62 * bay) / bays;
    for (let side = 0; side < 3; side += 1) {
      const chance = hashUnit(vessel.seed + bay, side, 901);
      if (chance > 0.85) continue;
      const left = -0.42 + side * 0.28;
      outline([from, left, from + 0.54 / bays, left, from + 0.54 / bays, left + 0.27, from, left + 0.27]);
      fillShape(pen, 4, STACKS[Math.floor((chance / 0.85) * STACKS.length)]!, 0.95, 1, COVER.water);
    }
  }
}

/** Outlines: parts of the length ahead, parts of the beam to the right. */
const HULL = [
  0.5, 0, 0.44, 0.24, 0.34, 0.42, 0.2, 0.5, -0.44, 0.5, -0.5, 0.36, -0.5, -0.36, -0.44, -0.5, 0.2, -0.5, 0.34, -0.42,
  0.44, -0.24,
];
const DECK = [0.46, 0, 0.33, 0.34, 0.2, 0.42, -0.46, 0.42, -0.46, -0.42, 0.2, -0.42, 0.33, -0.34];
const BRIDGE = [-0.3, 0.44, -0.42, 0.44, -0.42, -0.44, -0.3, -0.44];
