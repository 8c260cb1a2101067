/** A shift that was measured around a place of the grid, pixels. */
export interface PlacedShift {
  readonly dx: number;
  readonly dy: number;
  readonly column: number;
  readonly row: number;
}

/** How a shift grows over the grid: scale, rotation and shear. It is that of the scenes at (column, row). */
export interface Tilt {
  readonly column: number;
  readonly row: number;
  readonly dxPerColumn: number;
  readonly dxPerRow: number;
  readonly dyPerColumn: number;
  readonly dyPerRow: number;
}

/** A shift with its tilt, and how many of the measured ones agree with it. */
export interface TiltedShift {
  readonly dx: number;
  readonly dy: number;
  readonly tilt: Tilt;
  readonly agreeing: number;
  /** Median distance of all measured shifts from it, pixels. */
  readonly residualPx: number;
}

/** Three shifts are matched by some tilt always: so many have to agree that it is none by chance. */
const LEAST_AGREEING = 5;
const LEAST_SHARE = 0.6;
/** Georeferences are not wrong by more than two parts in a hundred. */
const MOST_TILT = 0.02;

/**
 * The affine shift that most measured ones agree with (random sample consensus of Fischler and Bolles 1981; of up to 16
 * shifts all triples are tried, so that nothing is random), fitted to those by least squares; null when there is none.
 *
 * @param agreementPx distance up to which a shift agrees
 */
export function tiltedShift(shifts: readonly PlacedShift[], agreementPx: number): TiltedShift | null {
  let best: readonly PlacedShift[] = [];
  for (let i = 0; i < shifts.length; i++) {
    for (let j = i + 1; j < shifts.length; j++) {
      for (let k = j + 1; k < shifts.length; k++) {
        const plane = fitted([shifts[i]!, shifts[j]!, shifts[k]!]);
        if (plane === null) continue;
        const near = shifts.filter((shift) => distance(plane, shift) <= agreementPx);
        if (near.length > best.length) best = near;
      }
    }
  }
  if (best.length < LEAST_AGREEING || best.length < LEAST_SHARE * shifts.length) return null;
  const plane = fitted(best);
  if (plane === null) return null;
  const { dxPerColumn, dxPerRow, dyPerColumn, dyPerRow } = plane.tilt;
  if (Math.max(...[dxPerColumn, dxPerRow, dyPerColumn, dyPerRow].map(Math.abs)) > MOST_TILT) return null;
  const distances = shifts.map((shift) => distance(plane, shift)).toSorted((a, b) => a - b);
  const residualPx = distances[Math.floor((distances.length - 1) / 2)]!;
  return { ...plane, agreeing: best.length, residualPx };
}

type Plane = Pick<TiltedShift, "dx" | "dy" | "tilt">;

/** Where a place is moved to by a shift with a tilt. */
export function shiftAt({ dx, dy, tilt }: Plane, column: number, row: number): readonly [dx: number, dy: number] {
  const x = column - tilt.column;
  const y = row - tilt.row;
  return [dx + tilt.dxPerColumn * x + tilt.dxPerRow * y, dy + tilt.dyPerColumn * x + tilt.dyPerRow * y];
}

function distance(plane: Plane, { dx, dy, column, row }: PlacedShift): number {
  const [x, y] = shiftAt(plane, column, row);
  return Math.hypot(x - dx, y - dy);
}

/** Least squares; null where the places lie on a line, or nearly so. */
function fitted(shifts: readonly PlacedShift[]): Plane | null {
  const mean = (of: (shift: PlacedShift) => number): number =>
    shifts.reduce((sum, shift) => sum + of(shift), 0) / shifts.length;
  const column = mean((shift) => shift.column);
  const row = mean((shift) => shift.row);
  const dx = mean((shift) => shift.dx);
  const dy = mean((shift) => shift.dy);
  const moment = (of: (shift: PlacedShift) => number): number => mean(of);
  const xx = moment((shift) => (shift.column - column) ** 2);
  const yy = moment((shift) => (shift.row - row) ** 2);
  const xy = moment((shift) => (shift.column - column) * (shift.row - row));
  const determinant = xx * yy - xy * xy;
  // A hundredth of what a square of places has.
  if (!(determinant > 0.01 * ((xx + yy) / 2) ** 2)) return null;
  const slopes = (of: (shift: PlacedShift) => number): readonly [perColumn: number, perRow: number] => {
    const x = moment((shift) => of(shift) * (shift.column - column));
    const y = moment((shift) => of(shift) * (shift.row - row));
    return [(x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant];
  };
  const [dxPerColumn, dxPerRow] = slopes((shift) => shift.dx - dx);
  const [dyPerColumn, dyPerRow] = slopes((shift) => shift.dy - dy);
  return { dx, dy, tilt: { column, row, dxPerColumn, dxPerRow, dyPerColumn, dyPerRow } };
}
