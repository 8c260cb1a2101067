/** Samples per side of a template: a wing of a twelfth of the length is still two of them. */
export const TEMPLATE_SIDE = 21;
/** Side of a template in lengths of the aircraft: there must be apron around it. */
export const TEMPLATE_EXTENT = 1.3;

/** Outline of an aircraft seen from above, one direction of the nose, with the mean taken off and unit norm. */
export interface AircraftTemplate {
  /** Direction of the nose from the column axis towards the row axis, radians. */
  readonly angleRad: number;
  readonly weights: Float32Array;
}

/** Parts in lengths of the aircraft, forward and to the right of the middle: common proportions of airliners. */
const FUSELAGE = rectangleOf(-0.5, 0.5, -0.05, 0.05);
const SWEPT = [
  [0.16, 0],
  [-0.12, 0.46],
  [-0.18, 0.46],
  [-0.08, 0],
] as const;
const STRAIGHT = [
  [0.1, 0],
  [0.03, 0.48],
  [-0.05, 0.48],
  [-0.08, 0],
] as const;
const TAIL = [
  [-0.36, 0],
  [-0.46, 0.19],
  [-0.5, 0.19],
  [-0.47, 0],
] as const;

type Polygon = readonly (readonly [forward: number, right: number])[];

function rectangleOf(back: number, front: number, left: number, right: number): Polygon {
  return [
    [back, left],
    [front, left],
    [front, right],
    [back, right],
  ];
}

function mirrored(polygon: Polygon): Polygon {
  return polygon.map(([forward, right]) => [forward, -right] as const);
}

const SHAPES: readonly (readonly Polygon[])[] = [SWEPT, STRAIGHT].map((wing) => [
  FUSELAGE,
  wing,
  mirrored(wing),
  TAIL,
  mirrored(TAIL),
]);

/** Whether a point, in lengths, is of the aircraft. */
function covers(shape: readonly Polygon[], forward: number, right: number): boolean {
  return shape.some((polygon) => contains(polygon, forward, right));
}

function contains(polygon: Polygon, x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i]!;
    const [xj, yj] = polygon[j]!;
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

/** Sub-samples per side of a sample: shares instead of steps. */
const FINE = 3;

/**
 * Both wing forms in `directions` directions over a whole turn; samples outside the circle are 0 and take no part.
 *
 * @param blur standard deviation in samples by which edges are softened, as optics and pixels soften them
 */
export function aircraftTemplates(directions: number, blur: number): readonly AircraftTemplate[] {
  return SHAPES.flatMap((shape) =>
    Array.from({ length: directions }, (_, index) => {
      const angleRad = (index * 2 * Math.PI) / directions;
      return { angleRad, weights: weightsOf(shape, angleRad, blur) };
    }),
  );
}

function weightsOf(shape: readonly Polygon[], angleRad: number, blur: number): Float32Array {
  const [cos, sin] = [Math.cos(angleRad), Math.sin(angleRad)];
  const raw = new Float32Array(TEMPLATE_SIDE ** 2);
  for (let j = 0; j < TEMPLATE_SIDE; j++) {
    for (let i = 0; i < TEMPLATE_SIDE; i++) {
      let share = 0;
      for (let k = 0; k < FINE * FINE; k++) {
        const x = place(i + ((k % FINE) + 0.5) / FINE - 0.5);
        const y = place(j + (Math.floor(k / FINE) + 0.5) / FINE - 0.5);
        if (covers(shape, x * cos + y * sin, -x * sin + y * cos)) share++;
      }
      raw[j * TEMPLATE_SIDE + i] = share / FINE ** 2;
    }
  }
  const soft = blurred(raw, blur);
  const weights = new Float32Array(soft.length);
  const inside = CIRCLE;
  let mean = 0;
  for (const at of inside) mean += soft[at]! / inside.length;
  let norm = 0;
  for (const at of inside) {
    weights[at] = soft[at]! - mean;
    norm += weights[at] ** 2;
  }
  const scale = 1 / Math.sqrt(norm);
  for (const at of inside) weights[at]! *= scale;
  return weights;
}

/** Position of a sample in lengths. */
function place(index: number): number {
  return (index / (TEMPLATE_SIDE - 1) - 0.5) * TEMPLATE_EXTENT;
}

/** Positions of the samples that count. */
const CIRCLE: Int32Array = Int32Array.from(
  Array.from({ length: TEMPLATE_SIDE ** 2 }, (_, at) => at).filter(
    (at) => Math.hypot(place(at % TEMPLATE_SIDE), place(Math.floor(at / TEMPLATE_SIDE))) <= TEMPLATE_EXTENT / 2 + 1e-9,
  ),
);

function blurred(raw: Float32Array, sigma: number): Float32Array {
  if (sigma <= 0) return raw;
  const radius = Math.ceil(2.5 * sigma);
  const kernel = Array.from({ length: 2 * radius + 1 }, (_, k) => Math.exp(-((k - radius) ** 2) / (2 * sigma ** 2)));
  const sum = kernel.reduce((a, b) => a + b, 0);
  const pass = (input: Float32Array, step: number, lineStep: number): Float32Array => {
    const out = new Float32Array(input.length);
    for (let line = 0; line < TEMPLATE_SIDE; line++) {
      for (let i = 0; i < TEMPLATE_SIDE; i++) {
        let value = 0;
        for (const [k, weight] of kernel.entries()) {
          const at = i + k - radius;
          if (at >= 0 && at < TEMPLATE_SIDE) value += weight * input[line * lineStep + at * step]!;
        }
        out[line * lineStep + i * step] = value / sum;
      }
    }
    return out;
  };
  return pass(pass(raw, 1, TEMPLATE_SIDE), TEMPLATE_SIDE, 1);
}

/**
 * The image around a point on the samples of a template: bilinear, with the mean taken off and unit norm, so that a
 * product with a template is their correlation.
 *
 * @param extentPxX side of the patch in pixels along columns
 * @returns the standard deviation in parts of the mean; 0 where data is missing or nothing varies
 */
export function patchAt(
  plane: Float32Array,
  columns: number,
  rows: number,
  column: number,
  row: number,
  extentPxX: number,
  extentPxY: number,
  out: Float32Array,
): number {
  const stepX = extentPxX / (TEMPLATE_SIDE - 1);
  const stepY = extentPxY / (TEMPLATE_SIDE - 1);
  let mean = 0;
  for (const at of CIRCLE) {
    const x = column - extentPxX / 2 + (at % TEMPLATE_SIDE) * stepX;
    const y = row - extentPxY / 2 + Math.floor(at / TEMPLATE_SIDE) * stepY;
    const i = Math.floor(x);
    const j = Math.floor(y);
    if (i < 0 || j < 0 || i + 1 >= columns || j + 1 >= rows) return 0;
    const base = j * columns + i;
    const top = plane[base]! + (x - i) * (plane[base + 1]! - plane[base]!);
    const bottom = plane[base + columns]! + (x - i) * (plane[base + columns + 1]! - plane[base + columns]!);
    const value = top + (y - j) * (bottom - top);
    out[at] = value;
    mean += value;
  }
  mean /= CIRCLE.length;
  let norm = 0;
  for (const at of CIRCLE) {
    out[at]! -= mean;
    norm += out[at]! ** 2;
  }
  if (!(norm > 0)) return 0;
  const scale = 1 / Math.sqrt(norm);
  for (const at of CIRCLE) out[at]! *= scale;
  return Math.sqrt(norm / CIRCLE.length) / mean;
}

/** Correlation of a patch with a template, -1 to 1. Outside the circle the weights are 0. */
export function correlation(patch: Float32Array, { weights }: AircraftTemplate): number {
  let sum = 0;
  for (let at = 0; at < weights.length; at++) sum += patch[at]! * weights[at]!;
  return sum;
}

/** Correlation of a patch with itself mirrored at a line through the middle: aircraft are symmetric. */
export function mirrorSymmetry(patch: Float32Array, angleRad: number): number {
  const middle = (TEMPLATE_SIDE - 1) / 2;
  const [cos, sin] = [Math.cos(2 * angleRad), Math.sin(2 * angleRad)];
  let sum = 0;
  let norm = 0;
  for (const at of CIRCLE) {
    const x = (at % TEMPLATE_SIDE) - middle;
    const y = Math.floor(at / TEMPLATE_SIDE) - middle;
    const u = Math.min(TEMPLATE_SIDE - 1.001, Math.max(0, middle + cos * x + sin * y));
    const v = Math.min(TEMPLATE_SIDE - 1.001, Math.max(0, middle + sin * x - cos * y));
    const base = Math.floor(v) * TEMPLATE_SIDE + Math.floor(u);
    const fx = u - Math.floor(u);
    const fy = v - Math.floor(v);
    const mirroredValue =
      (1 - fy) * ((1 - fx) * patch[base]! + fx * patch[base + 1]!) +
      fy * ((1 - fx) * patch[base + TEMPLATE_SIDE]! + fx * patch[base + TEMPLATE_SIDE + 1]!);
    sum += patch[at]! * mirroredValue;
    norm += mirroredValue ** 2;
  }
  return norm > 0 ? sum / Math.sqrt(norm) : 0;
}
