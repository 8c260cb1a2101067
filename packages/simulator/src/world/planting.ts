import type { ObjectSink } from "./object-sink.ts";
import type { Pen } from "./pen.ts";
import type { Place } from "./places.ts";
import type { View } from "./view.ts";
import { hashUnit } from "../noise.ts";
import { COVER } from "./canvas.ts";
import { castShadow, ground, lot, shadow } from "./city-block.ts";
import { fillGround, fillShape, shadeShape, shape } from "./pen.ts";
import { M } from "./spectra.ts";

/** Pixels in which a crown or a pool is more than a dot. */
const LISTED_M = 1.6;

/** Crowns from above: octagons with their shadows, at random places of a rectangle of the quarter. */
export function paintTrees(
  pen: Pen,
  place: Place,
  key: number,
  view: View,
  sink: ObjectSink | null,
  count: number,
  u0: number,
  u1: number,
  v0: number,
  v1: number,
): void {
  const isFine = pen.block.pixelM < LISTED_M;
  for (let tree = 0; tree < count; tree += 1) {
    const u = u0 + (u1 - u0) * hashUnit(key, tree, 650);
    const v = v0 + (v1 - v0) * hashUnit(key, tree, 651);
    const radius = 2 + 2.6 * hashUnit(key, tree, 652);
    lot(u, u, v, v);
    const x = shape[0]!;
    const y = shape[1]!;
    if (isFine && !view.radar) {
      castShadow(view, 1.5 * radius);
      octagon(x, y, radius, shadow.x, shadow.y);
      shadeShape(pen, 8, 0.45);
    }
    octagon(x, y, radius, 0, 0);
    fillGround(pen, 8, M.forest, 0.8 + 0.4 * hashUnit(key, tree, 653), 0.92, COVER.none);
    if (sink !== null && isFine) {
      sink({
        kind: "tree",
        plane: place,
        x,
        y,
        lengthM: 2 * radius,
        widthM: 2 * radius,
        headingRad: 0,
        speedMs: 0,
        heightM: 2.5 * radius,
      });
    }
  }
}

/** A pool of 7 by 3.6 metres whose corner is at a place of the quarter. */
export function paintPool(pen: Pen, place: Place, sink: ObjectSink | null, u: number, v: number): void {
  const [lengthM, widthM] = [7, 3.6];
  lot(u, u + lengthM, v, v + widthM);
  fillShape(pen, 4, M.pool, 1, 1, COVER.none);
  if (sink === null || pen.block.pixelM >= LISTED_M) return;
  lot(u, u + lengthM, v, v + widthM);
  sink({
    kind: "pool",
    plane: place,
    x: (shape[0]! + shape[4]!) / 2,
    y: (shape[1]! + shape[5]!) / 2,
    lengthM,
    widthM,
    headingRad: Math.atan2(ground.ux, ground.uy),
    speedMs: 0,
  });
}

/** Makes `shape` an octagon whose side towards a shadow is drawn out by it. */
function octagon(x: number, y: number, radius: number, outX: number, outY: number): void {
  for (let k = 0; k < 8; k += 1) {
    const isOut = COS[k]! * outX + SIN[k]! * outY > 0;
    shape[2 * k] = x + radius * COS[k]! + (isOut ? outX : 0);
    shape[2 * k + 1] = y + radius * SIN[k]! + (isOut ? outY : 0);
  }
}

const COS = Float64Array.from({ length: 8 }, (_, k) => Math.cos((k * Math.PI) / 4));
const SIN = Float64Array.from({ length: 8 }, (_, k) => Math.sin((k * Math.PI) / 4));
