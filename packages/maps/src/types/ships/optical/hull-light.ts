/** Surroundings of a ship: sea and objects on it. */
export interface Surroundings {
  /** 1 on sea. */
  readonly sea: Uint8Array;
  /** 1 where a pixel may belong to something that stands out. */
  readonly doubtful: Uint8Array;
}

/** Pixels around a hull that its image in any band reaches. */
const AROUND_PX = 2;
/** The sea around is taken from there to here. */
const SEA_FROM_PX = 4;
const SEA_TO_PX = 9;
const MIN_SEA_PIXELS = 30;
const ITERATIONS = 6;

/** A rectangle of pixels about a hull. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Positions in the block of sea around it. */
  readonly sea: Int32Array;
  /** 1 within reach of the hull, by position in the rectangle. */
  readonly near: Uint8Array;
}

/** The surroundings of a hull, or null where the block ends or the sea does not show. */
export function areaOf(members: Int32Array, { sea: water, doubtful }: Surroundings, columns: number): Area | null {
  const rows = water.length / columns;
  let [left, right, top, bottom] = [columns, 0, rows, 0];
  for (const i of members) {
    const row = Math.floor(i / columns);
    const column = i - row * columns;
    left = Math.min(left, column);
    right = Math.max(right, column);
    top = Math.min(top, row);
    bottom = Math.max(bottom, row);
  }
  left -= SEA_TO_PX;
  top -= SEA_TO_PX;
  const [width, height] = [right + SEA_TO_PX + 1 - left, bottom + SEA_TO_PX + 1 - top];
  if (left < 0 || top < 0 || left + width > columns || top + height > rows) return null;
  const distance = new Uint8Array(width * height).fill(SEA_TO_PX + 1);
  for (const i of members) {
    const y = Math.floor(i / columns) - top;
    const x = (i % columns) - left;
    for (let dy = -SEA_TO_PX; dy <= SEA_TO_PX; dy++) {
      for (let dx = -SEA_TO_PX; dx <= SEA_TO_PX; dx++) {
        const at = (y + dy) * width + x + dx;
        distance[at] = Math.min(distance[at]!, Math.max(Math.abs(dx), Math.abs(dy)));
      }
    }
  }
  const near = new Uint8Array(width * height);
  const sea: number[] = [];
  for (let at = 0; at < near.length; at++) {
    const position = (top + Math.floor(at / width)) * columns + left + (at % width);
    if (distance[at]! <= AROUND_PX) near[at] = 1;
    else if (
      distance[at]! >= SEA_FROM_PX &&
      distance[at]! <= SEA_TO_PX &&
      water[position] !== 0 &&
      doubtful[position] === 0
    )
      sea.push(position);
  }
  return sea.length < MIN_SEA_PIXELS ? null : { left, top, width, height, sea: Int32Array.from(sea), near };
}

/** A hull in one band. */
export interface Light {
  /** Light of the hull in excess of the sea, 0 outside it, by position in the area. */
  readonly excess: Float64Array;
  /** Middle in pixels of the area, and its standard deviation by the noise of the sea. */
  readonly centre: readonly [number, number];
  readonly sigmaPx: number;
  readonly signal: number;
}

/** Light of a hull in excess of the sea in a band. */
export function lightOf(plane: Float32Array, { left, top, width, sea, near }: Area, columns: number): Light {
  const around = Float64Array.from(sea, (i) => plane[i]!).toSorted();
  const level = around[around.length >> 1]!;
  const deviations = around.map((v) => Math.abs(v - level)).toSorted();
  const noise = 1.4826 * deviations[deviations.length >> 1]!;
  const excess = new Float64Array(near.length);
  let [sum, x, y, count] = [0, 0, 0, 0];
  for (let at = 0; at < near.length; at++) {
    if (near[at] === 0) continue;
    const row = Math.floor(at / width);
    const value = plane[(top + row) * columns + left + (at % width)]! - level;
    excess[at] = value;
    sum += value;
    x += value * (at % width);
    y += value * row;
    count++;
  }
  const centre = [x / sum, y / sum] as const;
  let spread = 0;
  for (let at = 0; at < near.length; at++) {
    if (near[at] !== 0) spread += ((at % width) - centre[0]) ** 2 + (Math.floor(at / width) - centre[1]) ** 2;
  }
  return {
    excess,
    centre,
    sigmaPx: (noise * Math.sqrt(spread / 2)) / Math.abs(sum),
    signal: sum / (noise * Math.sqrt(count)),
  };
}

/** The shift, pixels, at which one picture times a factor is most like the other (Gauss and Newton, bilinear). */
export function matchedShift(from: Light, to: Light, { width, height, near }: Area): readonly [number, number] | null {
  let [x, y] = [to.centre[0] - from.centre[0], to.centre[1] - from.centre[1]];
  const at = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= width || row >= height ? 0 : from.excess[row * width + column]!;
  const between = (column: number, row: number): number => {
    const [left, top] = [Math.floor(column), Math.floor(row)];
    const [across, down] = [column - left, row - top];
    return (
      (at(left, top) * (1 - across) + at(left + 1, top) * across) * (1 - down) +
      (at(left, top + 1) * (1 - across) + at(left + 1, top + 1) * across) * down
    );
  };
  for (let turn = 0; turn < ITERATIONS; turn++) {
    // Normal equations for the factor and both shifts.
    let [ff, fx, fy, xx, xy, yy, ft, xt, yt] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
    for (let i = 0; i < near.length; i++) {
      if (near[i] === 0) continue;
      const [column, row] = [(i % width) - x, Math.floor(i / width) - y];
      const value = between(column, row);
      const right = (between(column + 1, row) - between(column - 1, row)) / 2;
      const down = (between(column, row + 1) - between(column, row - 1)) / 2;
      const target = to.excess[i]!;
      ff += value * value;
      fx += value * right;
      fy += value * down;
      xx += right * right;
      xy += right * down;
      yy += down * down;
      ft += value * target;
      xt += right * target;
      yt += down * target;
    }
    if (!(ff > 0)) return null;
    // Schur complement of the factor.
    const [a, b, d] = [xx - (fx * fx) / ff, xy - (fx * fy) / ff, yy - (fy * fy) / ff];
    const [p, q] = [xt - (fx * ft) / ff, yt - (fy * ft) / ff];
    const determinant = a * d - b * b;
    if (!(determinant > 1e-12 * ff * ff)) return null;
    const u = (d * p - b * q) / determinant;
    const v = (a * q - b * p) / determinant;
    const factor = (ft - fx * u - fy * v) / ff;
    if (!(factor > 0)) return null;
    x -= u / factor;
    y -= v / factor;
    if (!(Math.abs(x) + Math.abs(y) < 8)) return null;
  }
  return [x, y];
}
