import type { ObjectSink } from "./object-sink.ts";
import type { Pen } from "./pen.ts";
import type { Place } from "./places.ts";
import type { View } from "./view.ts";
import { hashUnit } from "../noise.ts";
import { COVER } from "./canvas.ts";
import { castShadow, ground, lot, shadow } from "./city-block.ts";
import { fillShape, move, shadeShape, shape, sweep } from "./pen.ts";
import { M } from "./spectra.ts";

const ROOFS = [M.roofTile, M.roofTile, M.roofTile, M.roofGrey, M.roofDark, M.roofGrey, M.roofWhite] as const;
const FLAT_ROOFS = [M.roofGrey, M.roofDark, M.concrete, M.roofWhite, M.roofGrey] as const;

/** Paints a building on a rectangle of the quarter in hand. Off nadir its roof leans over the ground behind it. */
export function building(
  pen: Pen,
  place: Place,
  id: number,
  view: View,
  sink: ObjectSink | null,
  u0: number,
  u1: number,
  v0: number,
  v1: number,
  heightM: number,
  pitched: boolean,
): void {
  if (u1 - u0 < 4 || v1 - v0 < 4) return;
  lot(u0, u1, v0, v1);
  castShadow(view, heightM);
  shadeShape(pen, sweep(shadow.x, shadow.y), view.radar ? 0.25 : 0.42);
  lot(u0, u1, v0, v1);
  const roof = pitched
    ? ROOFS[Math.floor(hashUnit(id, 7, 621) * ROOFS.length)]!
    : FLAT_ROOFS[Math.floor(hashUnit(id, 8, 621) * FLAT_ROOFS.length)]!;
  const tone = 0.86 + 0.3 * hashUnit(id, 9, 621);
  const leanX = heightM * view.leanX;
  const leanY = heightM * view.leanY;
  const leans = Math.hypot(leanX, leanY) > 0.3 * pen.block.pixelM;
  if (leans) {
    // The ground that is built on, then the walls that the satellite sees, then the roof where it appears.
    fillShape(pen, 4, roof, tone, 1, COVER.built);
    fillShape(pen, sweep(leanX, leanY), M.concrete, 0.6, 1, COVER.none);
    lot(u0, u1, v0, v1);
    move(4, leanX, leanY);
  }
  fillShape(pen, 4, roof, tone, 1, leans ? COVER.none : COVER.built);
  if (view.radar) {
    // Wall and ground return together: a bright line at the side that faces the sensor.
    lot(u0, u1, v0, v1);
    const side = facing(view);
    const deep = Math.max(2.5, pen.block.pixelM);
    if (side === 0) lot(u0, u1, v0 - deep / 2, v0 + deep / 2);
    else if (side === 1) lot(u1 - deep / 2, u1 + deep / 2, v0, v1);
    else if (side === 2) lot(u0, u1, v1 - deep / 2, v1 + deep / 2);
    else lot(u0 - deep / 2, u0 + deep / 2, v0, v1);
    fillShape(pen, 4, M.metal, 0.6 + hashUnit(id, 10, 621), 0.9, COVER.none);
  } else if (pitched) {
    // The ridge runs along the longer side; the half that looks away from the sun is darker.
    const alongU = u1 - u0 >= v1 - v0;
    const azimuth = (view.sunAzimuthDeg * Math.PI) / 180;
    const sunU = (Math.sin(azimuth) * ground.ux + Math.cos(azimuth) * ground.uy) / ground.alongM;
    const sunV = (Math.sin(azimuth) * ground.vx + Math.cos(azimuth) * ground.vy) / ground.acrossM;
    const towardsSun = alongU ? sunV : sunU;
    if (alongU) lot(u0, u1, towardsSun > 0 ? v0 : (v0 + v1) / 2, towardsSun > 0 ? (v0 + v1) / 2 : v1);
    else lot(towardsSun > 0 ? u0 : (u0 + u1) / 2, towardsSun > 0 ? (u0 + u1) / 2 : u1, v0, v1);
    if (leans) move(4, leanX, leanY);
    fillShape(pen, 4, roof, tone * (1 - 0.4 * Math.abs(towardsSun)), 0.9, COVER.none);
  } else if (pen.block.pixelM < 1.2 && u1 - u0 > 9 && v1 - v0 > 9) {
    for (let box = 0; box < 3; box += 1) {
      const u = u0 + 1.5 + (u1 - u0 - 6) * hashUnit(id, 11 + box, 621);
      const v = v0 + 1.5 + (v1 - v0 - 6) * hashUnit(id, 14 + box, 621);
      lot(u, u + 2.6, v, v + 2);
      if (leans) move(4, leanX, leanY);
      fillShape(pen, 4, box === 0 ? M.roofDark : M.metal, 1, 0.9, COVER.none);
    }
  }
  if (sink !== null) {
    lot(u0, u1, v0, v1);
    report(sink, place, "building", u1 - u0, v1 - v0, heightM);
  }
}

/** Tells of the rectangle in `shape`. */
export function report(
  sink: ObjectSink,
  place: Place,
  kind: "building" | "car" | "construction",
  lengthM: number,
  widthM: number,
  heightM: number,
): void {
  sink({
    kind,
    plane: place,
    x: (shape[0]! + shape[2]! + shape[4]! + shape[6]!) / 4,
    y: (shape[1]! + shape[3]! + shape[5]! + shape[7]!) / 4,
    lengthM,
    widthM,
    headingRad: Math.atan2(ground.ux, ground.uy),
    speedMs: 0,
    heightM,
  });
}

/** Which side of the quarter looks at the sensor: 0 and 2 across, 1 and 3 along. */
function facing(view: View): number {
  const azimuth = (view.satelliteAzimuthDeg * Math.PI) / 180;
  const u = (Math.sin(azimuth) * ground.ux + Math.cos(azimuth) * ground.uy) / ground.alongM;
  const v = (Math.sin(azimuth) * ground.vx + Math.cos(azimuth) * ground.vy) / ground.acrossM;
  if (Math.abs(u) > Math.abs(v)) return u > 0 ? 1 : 3;
  return v > 0 ? 2 : 0;
}
