/** A smooth map of the plane onto two numbers. */
export type PlaneMap = (x: number, y: number) => readonly [u: number, v: number];

export interface ControlPair {
  readonly x: number;
  readonly y: number;
  readonly u: number;
  readonly v: number;
}

/** More points are thinned evenly: solving takes the cube of their number. */
const MAX_CONTROL_PAIRS = 400;

/**
 * The thin-plate spline through control points: the least bent surface that meets every one of them, an affine map
 * far away from them (Duchon 1977; kernel r² log r). Three points give the affine map through them.
 *
 * @throws {RangeError} with fewer than three points or when all lie on one line
 */
export function fitThinPlate(pairs: readonly ControlPair[]): PlaneMap {
  const points = thinned(pairs);
  const count = points.length;
  if (count < 3) throw new RangeError(`a plane map needs 3 control points, got ${count}`);
  const frame = unitFrame(points);
  const xs = Float64Array.from(points, ({ x }) => (x - frame.x) * frame.scale);
  const ys = Float64Array.from(points, ({ y }) => (y - frame.y) * frame.scale);
  const size = count + 3;
  const matrix = Array.from({ length: size }, () => new Float64Array(size + 2));
  points.forEach((point, i) => {
    const row = matrix[i]!;
    for (let j = 0; j < count; j++) row[j] = kernel((xs[i]! - xs[j]!) ** 2 + (ys[i]! - ys[j]!) ** 2);
    row[count] = 1;
    row[count + 1] = xs[i]!;
    row[count + 2] = ys[i]!;
    row[size] = point.u;
    row[size + 1] = point.v;
    matrix[count]![i] = 1;
    matrix[count + 1]![i] = xs[i]!;
    matrix[count + 2]![i] = ys[i]!;
  });
  solve(matrix);
  const u = Float64Array.from(matrix, (row) => row[size]!);
  const v = Float64Array.from(matrix, (row) => row[size + 1]!);
  return (rawX, rawY) => {
    const x = (rawX - frame.x) * frame.scale;
    const y = (rawY - frame.y) * frame.scale;
    let sumU = u[count]! + u[count + 1]! * x + u[count + 2]! * y;
    let sumV = v[count]! + v[count + 1]! * x + v[count + 2]! * y;
    for (let i = 0; i < count; i++) {
      const value = kernel((x - xs[i]!) ** 2 + (y - ys[i]!) ** 2);
      sumU += u[i]! * value;
      sumV += v[i]! * value;
    }
    return [sumU, sumV];
  };
}

/**
 * Root mean square distance, in the unit of u and v, by which a fit through every second point misses the others.
 * Zero with fewer than eight points, of which no half says anything about the other.
 */
export function crossResidual(pairs: readonly ControlPair[]): number {
  if (pairs.length < 8) return 0;
  const fit = fitThinPlate(pairs.filter((_, index) => index % 2 === 0));
  const others = pairs.filter((_, index) => index % 2 === 1);
  let squares = 0;
  for (const { x, y, u, v } of others) {
    const [fitU, fitV] = fit(x, y);
    squares += (fitU - u) ** 2 + (fitV - v) ** 2;
  }
  return Math.sqrt(squares / others.length);
}

function thinned(pairs: readonly ControlPair[]): readonly ControlPair[] {
  const distinct = new Map(pairs.map((pair) => [`${pair.x} ${pair.y}`, pair]));
  const points = [...distinct.values()];
  if (points.length <= MAX_CONTROL_PAIRS) return points;
  const step = (points.length - 1) / (MAX_CONTROL_PAIRS - 1);
  return Array.from({ length: MAX_CONTROL_PAIRS }, (_, index) => points[Math.round(index * step)]!);
}

/** Coordinates are brought to about one: raw metres would make the system unsolvable in double precision. */
function unitFrame(points: readonly ControlPair[]): { readonly x: number; readonly y: number; readonly scale: number } {
  const x = points.reduce((sum, point) => sum + point.x, 0) / points.length;
  const y = points.reduce((sum, point) => sum + point.y, 0) / points.length;
  const reach = points.reduce((most, point) => Math.max(most, Math.abs(point.x - x), Math.abs(point.y - y)), 0);
  return { x, y, scale: reach === 0 ? 1 : 1 / reach };
}

/** r² log r of the squared distance, without the factor that the weights absorb. */
function kernel(squared: number): number {
  return squared === 0 ? 0 : squared * Math.log(squared);
}

/** Gauss-Jordan elimination with row pivots; the last two columns become the solutions. */
function solve(matrix: Float64Array[]): void {
  const size = matrix.length;
  const width = size + 2;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(matrix[row]![column]!) > Math.abs(matrix[pivot]![column]!)) pivot = row;
    }
    const head = matrix[pivot]!;
    if (Math.abs(head[column]!) < 1e-12) throw new RangeError("control points lie on one line");
    matrix[pivot] = matrix[column]!;
    matrix[column] = head;
    const divisor = head[column]!;
    for (let i = column; i < width; i++) head[i] = head[i]! / divisor;
    for (let row = 0; row < size; row++) {
      const target = matrix[row]!;
      const factor = target[column]!;
      if (row === column || factor === 0) continue;
      for (let i = column; i < width; i++) target[i] = target[i]! - factor * head[i]!;
    }
  }
}
