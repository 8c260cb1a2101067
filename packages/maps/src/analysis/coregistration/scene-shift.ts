import type { AnalysisBlock } from "../block.ts";
import { phaseCorrelation, type MeasuredShift } from "./phase-correlation.ts";
import { tiltedShift, type PlacedShift, type Tilt } from "./tilt.ts";

/** How well two scenes lie on each other. */
export interface Coregistration {
  /** What the first scene shows at (column, row), the second shows at (column + dx, row + dy), pixels. */
  readonly dx: number;
  readonly dy: number;
  /** How the shift grows over the grid, where it does; `dx` and `dy` are then those at its place. */
  readonly tilt?: Tilt;
  /** Median distance of the windows' shifts from it, pixels; null when none could be measured. */
  readonly residualPx: number | null;
  /** Windows whose shift could be measured, and those that agree. */
  readonly windows: number;
  readonly agreeing: number;
  /**
   * `inconsistent`: windows disagree by more than a pixel, so that no shift was applied; `not-measured`: too little
   * structure or too small.
   */
  readonly status: "measured" | "inconsistent" | "not-measured";
}

/** Largest shift that is measured and undone, pixels. Georeferences are off by less, or the scenes cannot be compared. */
export const MAX_SHIFT_PX = 16;
/** Noise alone reaches about 5 standard deviations in the pixels searched. */
const MIN_SIGNIFICANCE = 8;
const AGREEMENT_PX = 1;
/** A tilt is believed when so many more windows agree with it than with one shift for all. */
const TILT_GAIN = 2;
/** Planes that are looked at; more cost time and say the same. */
const MAX_PLANES = 3;

const NOT_MEASURED: Coregistration = {
  dx: 0,
  dy: 0,
  residualPx: null,
  windows: 0,
  agreeing: 0,
  status: "not-measured",
};

/**
 * The shift between the first two scenes of windows at full resolution: that which most windows agree on.
 *
 * @param mayTilt whether the shift may grow over the grid, for planes that are resampled anyway
 * @param prepare brings a plane to where differences mean the same everywhere, such as the logarithm of power
 */
export function measureSceneShift(
  windows: readonly AnalysisBlock[],
  prepare: (plane: Float32Array, columns: number, rows: number) => Float32Array = (plane) => plane,
  mayTilt = false,
): Coregistration {
  const shifts: (MeasuredShift & PlacedShift)[] = [];
  for (const { rect, scenes } of windows) {
    const [first, second] = [scenes[0] ?? [], scenes[1] ?? []].map((planes) =>
      planes.slice(0, MAX_PLANES).map((plane) => prepare(plane, rect.columns, rect.rows)),
    );
    const shift = phaseCorrelation(first!, second!, rect.columns, rect.rows, MAX_SHIFT_PX);
    if (shift !== null && shift.significance >= MIN_SIGNIFICANCE) {
      shifts.push({ ...shift, column: rect.column + rect.columns / 2, row: rect.row + rect.rows / 2 });
    }
  }
  const together = consensus(shifts);
  return mayTilt ? tiltedWhereBetter(together, shifts) : together;
}

function tiltedWhereBetter(together: Coregistration, shifts: readonly PlacedShift[]): Coregistration {
  if (together.agreeing + TILT_GAIN > together.windows) return together;
  const tilted = tiltedShift(shifts, AGREEMENT_PX);
  if (tilted === null || tilted.agreeing < together.agreeing + TILT_GAIN) return together;
  return { ...tilted, windows: shifts.length, status: "measured" };
}

/** The mean of the largest group of shifts that agree with one of them. */
export function consensus(shifts: readonly Pick<MeasuredShift, "dx" | "dy">[]): Coregistration {
  if (shifts.length === 0) return NOT_MEASURED;
  let inliers: readonly Pick<MeasuredShift, "dx" | "dy">[] = [];
  for (const { dx, dy } of shifts) {
    const near = shifts.filter((other) => Math.hypot(other.dx - dx, other.dy - dy) <= AGREEMENT_PX);
    if (near.length > inliers.length) inliers = near;
  }
  const dx = inliers.reduce((sum, shift) => sum + shift.dx, 0) / inliers.length;
  const dy = inliers.reduce((sum, shift) => sum + shift.dy, 0) / inliers.length;
  const distances = shifts.map((shift) => Math.hypot(shift.dx - dx, shift.dy - dy)).toSorted((a, b) => a - b);
  const residualPx = distances[Math.floor((distances.length - 1) / 2)]!;
  const measured = { residualPx, windows: shifts.length, agreeing: inliers.length };
  return 2 * inliers.length > shifts.length && residualPx <= AGREEMENT_PX
    ? { dx, dy, ...measured, status: "measured" }
    : { dx: 0, dy: 0, ...measured, status: "inconsistent" };
}
