import type { ObjectSink } from "./object-sink.ts";
import type { Pen } from "./pen.ts";
import type { Place } from "./places.ts";
import type { View } from "./view.ts";
import { hashUnit } from "../noise.ts";
import { COVER } from "./canvas.ts";
import { castShadow, ground, lot, shadow } from "./city-block.ts";
import { fillShape, shadeShape, shape, sweep } from "./pen.ts";
import { M } from "./spectra.ts";

const CAR_COLOURS = [M.carWhite, M.carWhite, M.roofGrey, M.metal, M.carDark, M.carDark, M.carRed, M.bluePaint] as const;
const STALL_M = 2.7;
const ROW_M = 17;

/** Rows of stalls on both sides of aisles; the parked cars change from day to day. */
export function paintCarPark(
  pen: Pen,
  place: Place,
  key: number,
  view: View,
  sink: ObjectSink | null,
  u0: number,
  u1: number,
  v0: number,
  v1: number,
): void {
  const day = Math.floor(view.day);
  const weekday = (day + 4) % 7;
  const busy = (weekday === 0 || weekday === 6 ? 0.3 : 0.68) + 0.25 * (hashUnit(key, day, 630) - 0.5);
  const fine = pen.block.pixelM;
  if (fine > 2) {
    lot(u0, u1, v0, v1);
    fillShape(pen, 4, M.carDark, 1, 0.16 * busy, COVER.none);
    lot(u0, u1, v0, v1);
    fillShape(pen, 4, M.carWhite, 1, 0.14 * busy, COVER.none);
    return;
  }
  const stalls = Math.floor((u1 - u0) / STALL_M);
  const rows = Math.max(1, Math.floor((v1 - v0) / ROW_M)) * 2;
  for (let row = 0; row < rows; row += 1) {
    const v = v0 + Math.floor(row / 2) * ROW_M + (row % 2 === 0 ? 0.4 : 11.2);
    if (v + 5 > v1 + 0.5) break;
    for (let stall = 0; stall < stalls; stall += 1) {
      const u = u0 + stall * STALL_M;
      if (fine < 0.8) {
        lot(u - 0.06, u + 0.06, v, v + 4.9);
        fillShape(pen, 4, M.paint, 0.9, 0.8, COVER.none);
      }
      const id = Math.imul(key, 131) + row * 512 + stall;
      if (hashUnit(id, day, 631) > busy) continue;
      const long = 4.1 + 0.9 * hashUnit(id, day, 632);
      const nudge = 0.3 * (hashUnit(id, day, 633) - 0.5);
      car(
        pen,
        place,
        view,
        sink,
        hashUnit(id, day, 634),
        u + 0.45 + nudge * 0.4,
        u + 2.25 + nudge * 0.4,
        v + 0.2 + nudge,
        v + 0.2 + long + nudge,
      );
    }
  }
}

/** Of boxes and tarpaulins. */
const TRUCK_COLOURS = [M.carWhite, M.metal, M.bluePaint, M.carRed, M.carWhite] as const;

/** A lorry that stands or goes along a street: a cab, a gap and a box. */
function truck(
  pen: Pen,
  place: Place,
  view: View,
  sink: ObjectSink | null,
  chance: number,
  u0: number,
  u1: number,
  v0: number,
  v1: number,
): void {
  const along = v1 - v0 > u1 - u0;
  shade(pen, view, 3.2, u0, u1, v0, v1);
  lot(u0, u1, v0, v1);
  fillShape(pen, 4, TRUCK_COLOURS[Math.floor(chance * TRUCK_COLOURS.length)]!, 0.9, 1, COVER.none);
  if (along) lot(u0, u1, v0 + 2, v0 + 2.5);
  else lot(u0 + 2, u0 + 2.5, v0, v1);
  fillShape(pen, 4, M.carDark, 1, 0.9, COVER.none);
  if (sink !== null) {
    lot(u0, u1, v0, v1);
    sinkVehicle(sink, place, "truck", u1 - u0, v1 - v0);
  }
}

function car(
  pen: Pen,
  place: Place,
  view: View,
  sink: ObjectSink | null,
  chance: number,
  u0: number,
  u1: number,
  v0: number,
  v1: number,
): void {
  const fine = pen.block.pixelM;
  if (fine < 1) shade(pen, view, 1.4, u0, u1, v0, v1);
  lot(u0, u1, v0, v1);
  fillShape(pen, 4, CAR_COLOURS[Math.floor(chance * CAR_COLOURS.length)]!, 0.9, 1, COVER.none);
  const along = v1 - v0 > u1 - u0;
  if (fine < 0.7) {
    const length = along ? v1 - v0 : u1 - u0;
    if (along) lot(u0 + 0.2, u1 - 0.2, v0 + 0.27 * length, v0 + 0.4 * length);
    else lot(u0 + 0.27 * length, u0 + 0.4 * length, v0 + 0.2, v1 - 0.2);
    fillShape(pen, 4, M.carDark, 1, 0.9, COVER.none);
  }
  if (sink !== null) {
    lot(u0, u1, v0, v1);
    sinkVehicle(sink, place, "car", u1 - u0, v1 - v0);
  }
}

/** The shadow of a box on the ground. */
function shade(pen: Pen, view: View, heightM: number, u0: number, u1: number, v0: number, v1: number): void {
  castShadow(view, heightM);
  lot(u0, u1, v0, v1);
  shadeShape(pen, sweep(shadow.x, shadow.y), 0.5);
}

/** Tells of the rectangle in `shape`. */
function sinkVehicle(sink: ObjectSink, place: Place, kind: "car" | "truck", overU: number, overV: number): void {
  sink({
    kind,
    plane: place,
    x: (shape[0]! + shape[4]!) / 2,
    y: (shape[1]! + shape[5]!) / 2,
    lengthM: Math.max(overU, overV),
    widthM: Math.min(overU, overV),
    headingRad: overV > overU ? Math.atan2(ground.vx, ground.vy) : Math.atan2(ground.ux, ground.uy),
    speedMs: 0,
  });
}

/** Cars and lorries in the streets around the quarter, others every minute. */
export function paintTraffic(pen: Pen, place: Place, key: number, view: View, sink: ObjectSink | null): void {
  if (pen.block.pixelM > 1.6) return;
  const minute = Math.floor(view.timeMs / 60_000) % 1_000_000;
  for (let i = 0; i < 6; i += 1) {
    if (hashUnit(key + i, minute, 640) > 0.4) continue;
    const at = hashUnit(key + i, minute, 641);
    const chance = hashUnit(key + i, minute, 642);
    if (i >= 4) {
      const long = 7 + 6 * hashUnit(key + i, minute, 643);
      // In the other lane, where it does not hide cars.
      if (i === 4) truck(pen, place, view, sink, chance, at * ground.alongM, at * ground.alongM + long, -6, -3.5);
      else truck(pen, place, view, sink, chance, -6, -3.5, at * ground.acrossM, at * ground.acrossM + long);
      continue;
    }
    if (i % 2 === 0) car(pen, place, view, sink, chance, at * ground.alongM, at * ground.alongM + 4.4, -2.6, -0.8);
    else car(pen, place, view, sink, chance, -2.6, -0.8, at * ground.acrossM, at * ground.acrossM + 4.4);
  }
}
