import type { PixelGround } from "../block.ts";
import type { ShipShape } from "./measure.ts";

/** Speed over the ground, and its standard deviation, m/s. */
export interface ParallaxSpeed {
  readonly speedMs: number;
  readonly sigmaMs: number;
}

/** Planes of blue, green and red of one detector, and when green and red look after blue, seconds. */
export interface ColourTimes {
  readonly planes: readonly [blue: Float32Array, green: Float32Array, red: Float32Array];
  readonly seconds: readonly [green: number, red: number];
}

/** What lies around a ship: sea, and on it what stands out. */
export interface Surroundings {
  /** 1 on sea. */
  readonly sea: Uint8Array;
  /** 1 where a pixel may belong to something that stands out. */
  readonly doubtful: Uint8Array;
}

/** Slower ships cannot be told from ships at anchor. */
const LEAST_SPEED_MS = 5;
/** Registration of two bands of Sentinel-2 to each other, a standard deviation of an eighth of a pixel. */
const REGISTRATION_PX = 0.12;
/** Pixels around a hull that its image in any band reaches. */
const AROUND_PX = 2;
/** The sea around is taken from there to here. */
const SEA_FROM_PX = 4;
const SEA_TO_PX = 9;
const MIN_SEA_PIXELS = 30;
/** The sum of light must stand out of its noise that many times in every band. */
const MIN_SIGNAL = 25;
/** Two ways to measure the shift must agree to this, pixels, or colours differ along the ship. */
const AGREE_PX = 0.35;
/** The shift from blue to red must lie along the ship. */
const MAX_DRIFT_DEG = 35;
const ELONGATED = 2;
const ITERATIONS = 6;
/** Faster is no ship. */
const MOST_SPEED_MS = 30;

/**
 * Speed from the time between the bands: a push-broom camera whose bands look one after the other sees a moving ship at
 * different places. The shift is that of the centroids of what the ship adds to the sea; it counts only where the best match of the
 * whole pictures gives the same, where green lies between blue and red as its time says, and where the ship goes along its axis.
 * Which band looks first alternates between detectors, so that the shift alone does not tell bow from stern.
 *
 * @returns null below 5 m/s and where the bands do not agree
 */
export function parallaxSpeed(
  members: Int32Array,
  shape: ShipShape,
  surroundings: Surroundings,
  columns: number,
  ground: PixelGround,
  { planes, seconds }: ColourTimes,
): ParallaxSpeed | null {
  const area = areaOf(members, surroundings, columns);
  if (area === null) return null;
  const [blue, green, red] = planes.map((plane) => lightOf(plane, area, columns));
  if (blue === undefined || green === undefined || red === undefined) return null;
  if (![blue, green, red].every(({ signal }) => signal >= MIN_SIGNAL)) return null;
  const { metresPerPixelX: sx, metresPerPixelY: sy } = ground;
  const pixelM = Math.sqrt(sx * sy);
  const between = (to: Light): readonly [number, number] => [
    (to.centre[0] - blue.centre[0]) * sx,
    (to.centre[1] - blue.centre[1]) * sy,
  ];
  const toRed = between(red);
  const toGreen = between(green);
  const noiseM = Math.hypot(blue.sigmaPx, red.sigmaPx, REGISTRATION_PX) * pixelM;
  const share = seconds[0] / seconds[1];
  const off = Math.hypot(toGreen[0] - share * toRed[0], toGreen[1] - share * toRed[1]);
  if (off > 3 * Math.hypot(blue.sigmaPx, green.sigmaPx, REGISTRATION_PX) * pixelM) return null;
  const matched = matchedShift(blue, red, area);
  if (matched === null) return null;
  const disagreement = Math.hypot(matched[0] * sx - toRed[0], matched[1] * sy - toRed[1]);
  if (disagreement > AGREE_PX * pixelM) return null;
  const metres = Math.hypot(...toRed);
  if (shape.lengthM > ELONGATED * shape.widthM) {
    const along = Math.abs(toRed[0] * shape.axis[0] + toRed[1] * shape.axis[1]);
    if (along < Math.cos((MAX_DRIFT_DEG * Math.PI) / 180) * metres) return null;
  }
  const speedMs = metres / seconds[1];
  if (speedMs <= LEAST_SPEED_MS || speedMs > MOST_SPEED_MS) return null;
  return { speedMs, sigmaMs: Math.hypot(noiseM, disagreement / 2) / seconds[1] };
}

/** A rectangle of pixels about a hull. */
interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Positions in the block of sea around it. */
  readonly sea: Int32Array;
  /** 1 within reach of the hull, by position in the rectangle. */
  readonly near: Uint8Array;
}

function areaOf(members: Int32Array, { sea: water, doubtful }: Surroundings, columns: number): Area | null {
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

interface Light {
  /** What the hull adds to the sea, 0 away from it, by position in the area. */
  readonly excess: Float64Array;
  /** Middle in pixels of the area, and its standard deviation by the noise of the sea. */
  readonly centre: readonly [number, number];
  readonly sigmaPx: number;
  readonly signal: number;
}

function lightOf(plane: Float32Array, { left, top, width, sea, near }: Area, columns: number): Light {
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
function matchedShift(from: Light, to: Light, { width, height, near }: Area): readonly [number, number] | null {
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
