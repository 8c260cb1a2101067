import type { View } from "./view.ts";
import { shape } from "./pen.ts";

export type QuarterKind = "carpark" | "construction" | "dense" | "houses" | "industry" | "park";

/** A block of houses between four streets. */
export interface Quarter {
  readonly kind: QuarterKind;
  readonly key: number;
  /** Corners in metres of the town's plane, `[x, y]` in turn around the block. */
  readonly corners: readonly number[];
  readonly halfStreetM: number;
}

/** Makes `shape` the quarter without its streets. */
export function inset(quarter: Quarter, metres: number): number {
  const { corners } = quarter;
  const alongM =
    (Math.hypot(corners[2]! - corners[0]!, corners[3]! - corners[1]!) +
      Math.hypot(corners[4]! - corners[6]!, corners[5]! - corners[7]!)) /
    2;
  const acrossM =
    (Math.hypot(corners[6]! - corners[0]!, corners[7]! - corners[1]!) +
      Math.hypot(corners[4]! - corners[2]!, corners[5]! - corners[3]!)) /
    2;
  const ux = (corners[2]! - corners[0]! + corners[4]! - corners[6]!) / 2;
  const uy = (corners[3]! - corners[1]! + corners[5]! - corners[7]!) / 2;
  const vx = (corners[6]! - corners[0]! + corners[4]! - corners[2]!) / 2;
  const vy = (corners[7]! - corners[1]! + corners[5]! - corners[3]!) / 2;
  const u = metres / Math.max(1, alongM);
  const v = metres / Math.max(1, acrossM);
  for (let k = 0; k < 4; k += 1) {
    const du = k === 0 || k === 3 ? u : -u;
    const dv = k < 2 ? v : -v;
    shape[2 * k] = corners[2 * k]! + ux * du + vx * dv;
    shape[2 * k + 1] = corners[2 * k + 1]! + uy * du + vy * dv;
  }
  return 4;
}

/** The quarter in hand, as a parallelogram: a corner and two sides. */
export const ground = { x: 0, y: 0, ux: 0, uy: 0, vx: 0, vy: 0, alongM: 0, acrossM: 0 };

/** Makes a quarter the one in hand, without a margin for streets. */
export function survey(quarter: Quarter, streetM: number): void {
  inset(quarter, streetM);
  ground.x = shape[0]!;
  ground.y = shape[1]!;
  ground.ux = (shape[2]! - shape[0]! + shape[4]! - shape[6]!) / 2;
  ground.uy = (shape[3]! - shape[1]! + shape[5]! - shape[7]!) / 2;
  ground.vx = (shape[6]! - shape[0]! + shape[4]! - shape[2]!) / 2;
  ground.vy = (shape[7]! - shape[1]! + shape[5]! - shape[3]!) / 2;
  ground.alongM = Math.hypot(ground.ux, ground.uy);
  ground.acrossM = Math.hypot(ground.vx, ground.vy);
}

/** Makes `shape` a rectangle of the quarter, sides in metres from its corner. */
export function lot(u0: number, u1: number, v0: number, v1: number): void {
  const { x, y, ux, uy, vx, vy, alongM, acrossM } = ground;
  for (let k = 0; k < 4; k += 1) {
    const u = (k === 0 || k === 3 ? u0 : u1) / alongM;
    const v = (k < 2 ? v0 : v1) / acrossM;
    shape[2 * k] = x + ux * u + vx * v;
    shape[2 * k + 1] = y + uy * u + vy * v;
  }
}

/** Metres east and north that a shadow reaches; written by `castShadow`. */
export const shadow = { x: 0, y: 0 };

/** Works out `shadow`: it falls away from the sun; seen by radar, away from the sensor. */
export function castShadow(view: View, heightM: number): void {
  const azimuth = ((view.radar ? view.satelliteAzimuthDeg : view.sunAzimuthDeg) * Math.PI) / 180;
  const slope = view.radar
    ? Math.tan((view.incidenceDeg * Math.PI) / 180)
    : 1 / Math.tan((Math.max(14, view.sunElevationDeg) * Math.PI) / 180);
  const run = Math.min(60, heightM * slope);
  shadow.x = -Math.sin(azimuth) * run;
  shadow.y = -Math.cos(azimuth) * run;
}
