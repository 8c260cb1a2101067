import type { Block, Frame } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import { columnAt, rowAt } from "./block.ts";
import { fillConvex, shadeConvex } from "./canvas.ts";

/** Draws shapes given in the metres of a plane on a canvas. */
export interface Pen {
  readonly canvas: Canvas;
  readonly block: Block;
  readonly frame: Frame;
}

/** Points of the shape in hand, metres, `[x0, y0, x1, y1, …]`; shapes have 16 points at most. */
export const shape = new Float64Array(32);
const onPixels = new Float64Array(32);

function project(pen: Pen, count: number): void {
  for (let i = 0; i < count; i += 1) {
    const x = shape[2 * i]!;
    const y = shape[2 * i + 1]!;
    onPixels[2 * i] = columnAt(pen.block, pen.frame, x, y);
    onPixels[2 * i + 1] = rowAt(pen.block, pen.frame, x, y);
  }
}

/** Fills the first `count` points of `shape`, which are convex. */
export function fillShape(
  pen: Pen,
  count: number,
  material: number,
  light: number,
  opacity: number,
  cover: number,
): void {
  project(pen, count);
  fillConvex(pen.canvas, onPixels, count, material, light, opacity, cover, false);
}

/** As `fillShape`, in the light and with the grain of the ground. */
export function fillGround(
  pen: Pen,
  count: number,
  material: number,
  light: number,
  opacity: number,
  cover: number,
): void {
  project(pen, count);
  fillConvex(pen.canvas, onPixels, count, material, light, opacity, cover, true);
}

export function shadeShape(pen: Pen, count: number, light: number): void {
  project(pen, count);
  shadeConvex(pen.canvas, onPixels, count, light);
}

/** Points of `shape` in pixels of the block, for callers that fill by themselves. Read it before the next shape. */
export function shapeInPixels(pen: Pen, count: number): Float64Array {
  project(pen, count);
  return onPixels;
}

/** Makes `shape` a rectangle around a place: `along` metres in the direction of `headingRad`, `across` to its right. */
export function rectangle(x: number, y: number, headingRad: number, along: number, across: number): void {
  const ax = (Math.sin(headingRad) * along) / 2;
  const ay = (Math.cos(headingRad) * along) / 2;
  const bx = (Math.cos(headingRad) * across) / 2;
  const by = (-Math.sin(headingRad) * across) / 2;
  shape[0] = x + ax - bx;
  shape[1] = y + ay - by;
  shape[2] = x + ax + bx;
  shape[3] = y + ay + by;
  shape[4] = x - ax + bx;
  shape[5] = y - ay + by;
  shape[6] = x - ax - bx;
  shape[7] = y - ay - by;
}

/** Makes `shape` a strip from one place to another. */
export function strip(x0: number, y0: number, x1: number, y1: number, half: number): void {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const nx = ((y1 - y0) / length) * half;
  const ny = (-(x1 - x0) / length) * half;
  shape[0] = x0 + nx;
  shape[1] = y0 + ny;
  shape[2] = x1 + nx;
  shape[3] = y1 + ny;
  shape[4] = x1 - nx;
  shape[5] = y1 - ny;
  shape[6] = x0 - nx;
  shape[7] = y0 - ny;
}

/** Moves the first points of `shape`. */
export function move(count: number, dx: number, dy: number): void {
  for (let i = 0; i < count; i += 1) {
    shape[2 * i]! += dx;
    shape[2 * i + 1]! += dy;
  }
}

/** Makes `shape` the convex hull of its four points and the same points moved; returns the number of points. */
export function sweep(dx: number, dy: number): number {
  const count = 8;
  for (let i = 0; i < 4; i += 1) {
    swept[2 * i] = shape[2 * i]!;
    swept[2 * i + 1] = shape[2 * i + 1]!;
    swept[2 * i + 8] = shape[2 * i]! + dx;
    swept[2 * i + 9] = shape[2 * i + 1]! + dy;
  }
  // Gift wrapping: at most six points remain.
  let start = 0;
  for (let i = 1; i < count; i += 1) if (swept[2 * i]! < swept[2 * start]!) start = i;
  let current = start;
  let made = 0;
  do {
    shape[2 * made] = swept[2 * current]!;
    shape[2 * made + 1] = swept[2 * current + 1]!;
    made += 1;
    let next = current === 0 ? 1 : 0;
    for (let i = 0; i < count; i += 1) {
      if (i === current) continue;
      const cross =
        (swept[2 * next]! - swept[2 * current]!) * (swept[2 * i + 1]! - swept[2 * current + 1]!) -
        (swept[2 * next + 1]! - swept[2 * current + 1]!) * (swept[2 * i]! - swept[2 * current]!);
      if (cross > 1e-9) next = i;
    }
    current = next;
  } while (current !== start && made < count);
  return made;
}

const swept = new Float64Array(16);

/** Whether a circle of metres can touch the block. */
export function touches(frame: Frame, x: number, y: number, radiusM: number): boolean {
  return x + radiusM > frame.minX && x - radiusM < frame.maxX && y + radiusM > frame.minY && y - radiusM < frame.maxY;
}
