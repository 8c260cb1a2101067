import type { Block } from "./block.ts";
import { placeOnSphere, turnedPlace } from "./sphere-noise.ts";

/** Nodes every few pixels of a block, on which slow fields are evaluated and between which they are interpolated. */
export interface NodeLattice {
  readonly stepPx: number;
  readonly columns: number;
  readonly rows: number;
  readonly spacingM: number;
  readonly lonDeg: Float64Array;
  readonly latDeg: Float64Array;
  /** Three coordinates on the sphere per node. */
  readonly place: Float64Array;
}

/** Nodes lie on pixel corners, with one more around the block so that slopes at its edges equal the slopes of its neighbour. */
export function createNodes(block: Block, stepPx: number): NodeLattice {
  const columns = Math.ceil(block.columns / stepPx) + 3;
  const rows = Math.ceil(block.rows / stepPx) + 3;
  const lonDeg = new Float64Array(columns * rows);
  const latDeg = new Float64Array(columns * rows);
  const place = new Float64Array(columns * rows * 3);
  // On a grid of longitude and latitude all nodes of a column share a meridian: its sine and cosine are needed once.
  const even =
    block.lonDeg[0] === block.lonDeg[2] &&
    block.lonDeg[1] === block.lonDeg[3] &&
    block.latDeg[0] === block.latDeg[1] &&
    block.latDeg[2] === block.latDeg[3];
  const meridians = even ? new Float64Array(2 * columns) : null;
  for (let row = 0; row < rows; row += 1) {
    const v = ((row - 1) * stepPx) / block.rows;
    let sin = 0;
    let cos = 0;
    for (let column = 0; column < columns; column += 1) {
      const u = ((column - 1) * stepPx) / block.columns;
      const at = row * columns + column;
      lonDeg[at] = bilinear(block.lonDeg, u, v);
      latDeg[at] = bilinear(block.latDeg, u, v);
      if (meridians === null) {
        placeOnSphere(lonDeg[at], latDeg[at], place, at * 3);
        continue;
      }
      if (column === 0) {
        sin = Math.sin((latDeg[at] * Math.PI) / 180);
        cos = Math.cos((latDeg[at] * Math.PI) / 180);
      }
      if (row === 0) {
        meridians[2 * column] = Math.cos((lonDeg[at] * Math.PI) / 180);
        meridians[2 * column + 1] = Math.sin((lonDeg[at] * Math.PI) / 180);
      }
      turnedPlace(cos * meridians[2 * column]!, cos * meridians[2 * column + 1]!, sin, place, at * 3);
    }
  }
  return { stepPx, columns, rows, spacingM: stepPx * block.pixelM, lonDeg, latDeg, place };
}

/** Value between four corners: north-west, north-east, south-west, south-east. */
export function bilinear(corners: ArrayLike<number>, u: number, v: number): number {
  const top = corners[0]! + (corners[1]! - corners[0]!) * u;
  const bottom = corners[2]! + (corners[3]! - corners[2]!) * u;
  return top + (bottom - top) * v;
}

/** Interpolates a field at the middles of a row of pixels into `out`; returns a bound that no value passes. */
export function interpolateRow(nodes: NodeLattice, field: Float32Array, row: number, out: Float32Array): number {
  const { stepPx, columns } = nodes;
  const y = (row + 0.5) / stepPx + 1;
  const j = Math.min(nodes.rows - 2, Math.floor(y));
  const fy = y - j;
  const count = out.length;
  const inverse = 1 / stepPx;
  let column = 0;
  let at = j * columns + 1;
  let right = field[at]! + (field[at + columns]! - field[at]!) * fy;
  let most = right;
  for (let i = 1; i < columns - 1 && column < count; i += 1) {
    at += 1;
    const left = right;
    right = field[at]! + (field[at + columns]! - field[at]!) * fy;
    if (right > most) most = right;
    const slope = (right - left) * inverse;
    const end = Math.min(count, i * stepPx);
    let value = left + 0.5 * slope;
    for (; column < end; column += 1) {
      out[column] = value;
      value += slope;
    }
  }
  return most;
}

/** Value of a field at a place in pixels. */
export function sampleNodes(nodes: NodeLattice, field: Float32Array | Float64Array, x: number, y: number): number {
  const gx = Math.min(nodes.columns - 1.0001, Math.max(0, x / nodes.stepPx + 1));
  const gy = Math.min(nodes.rows - 1.0001, Math.max(0, y / nodes.stepPx + 1));
  const i = gx | 0;
  const j = gy | 0;
  const at = j * nodes.columns + i;
  const top = field[at]! + (field[at + 1]! - field[at]!) * (gx - i);
  const low = at + nodes.columns;
  const bottom = field[low]! + (field[low + 1]! - field[low]!) * (gx - i);
  return top + (bottom - top) * (gy - j);
}
