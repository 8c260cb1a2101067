/**
 * Slowly varying fields of a scene on a lattice of 8 pixels, read by bilinear interpolation. The lattice is that of the
 * whole scene whatever window is rendered, so that every window sees the same values.
 */
export interface Lattice {
  readonly spacingM: number;
  readonly columns: number;
  readonly rows: number;
}

export type Field = Float32Array;

const SPACING_PX = 8;

export function createLattice(widthPx: number, heightPx: number, resolutionM: number): Lattice {
  return {
    spacingM: SPACING_PX * resolutionM,
    columns: Math.ceil(widthPx / SPACING_PX) + 2,
    rows: Math.ceil(heightPx / SPACING_PX) + 2,
  };
}

/** Evaluates a function of metres east and south of the scene's corner at every node. */
export function tabulate(lattice: Lattice, value: (x: number, y: number) => number): Field {
  const field = new Float32Array(lattice.columns * lattice.rows);
  for (let row = 0; row < lattice.rows; row += 1) {
    for (let column = 0; column < lattice.columns; column += 1) {
      field[row * lattice.columns + column] = value(column * lattice.spacingM, row * lattice.spacingM);
    }
  }
  return field;
}

/** The field at a place in metres; outside the lattice, the value at its edge. */
export function sample(lattice: Lattice, field: Field, x: number, y: number): number {
  const { columns, rows, spacingM } = lattice;
  const gx = Math.min(columns - 1.001, Math.max(0, x / spacingM));
  const gy = Math.min(rows - 1.001, Math.max(0, y / spacingM));
  const column = gx | 0;
  const row = gy | 0;
  const fx = gx - column;
  const at = row * columns + column;
  const top = field[at]! + (field[at + 1]! - field[at]!) * fx;
  const bottom = field[at + columns]! + (field[at + columns + 1]! - field[at + columns]!) * fx;
  return top + (bottom - top) * (gy - row);
}

/** A curve given as offset over distance along an axis: river, motorway. */
export interface Curve {
  readonly startM: number;
  readonly stepM: number;
  readonly offsets: Float64Array;
}

export function tabulateCurve(startM: number, endM: number, stepM: number, offset: (t: number) => number): Curve {
  const offsets = new Float64Array(Math.ceil((endM - startM) / stepM) + 2);
  for (let i = 0; i < offsets.length; i += 1) offsets[i] = offset(startM + i * stepM);
  return { startM, stepM, offsets };
}

/** Metres from a place to the curve, positive on the side of growing offsets; exact for a straight curve. */
export function distanceToCurve(curve: Curve, along: number, across: number): number {
  const position = Math.min(curve.offsets.length - 1.001, Math.max(0, (along - curve.startM) / curve.stepM));
  const index = position | 0;
  const here = curve.offsets[index]!;
  const slope = curve.offsets[index + 1]! - here;
  const run = slope / curve.stepM;
  return (across - here - slope * (position - index)) / Math.sqrt(1 + run * run);
}
