import type { AnalysisBlock, BlockResult, FoundObject } from "../../analysis/block.ts";
import { boxMean } from "../../analysis/shape/box-mean.ts";
import { fillBox } from "../../analysis/shape/fill-box.ts";
import { AIRCRAFT_VALUE, BACKGROUND_VALUE } from "./aircraft-classes.ts";

/** Parameters of a search for aircraft in flight, recorded with the result. Planes are blue, green and red. */
export interface FlightParameters {
  readonly mode: "flight";
  readonly pixelM: number;
  /** When green and red look after blue, seconds. */
  readonly parallaxS: readonly [green: number, red: number];
}

/** Surroundings that tell how colours vary together, pixels to each side. */
const AROUND_PX = 16;
/** Pictures are smoothed over this many pixels to each side: airliners span three to seven. */
const SMOOTH_PX = 1;
/** Least excess of each image over its prediction from the other two bands, standard deviations. */
const MIN_SIGNIFICANCE = 6;
/** In the other bands a place shows less than this share of the light. */
const MAX_OTHER = 0.35;
/** Paint is about as light in all three bands. */
const MAX_RATIO = 2;
/** Light above the ground, reflectance or parts of the surroundings' brightness. */
const MIN_LIGHT_SHARE = 0.1;
/** Apparent speeds, m/s: propeller aircraft to airliners with what their height adds. */
const SLOWEST_MS = 70;
const FASTEST_MS = 380;
/** How far from its place on the line the third image may lie, pixels. */
const TOLERANCE_PX = 1.2;
const PEAK_PX = 2;
/** Half of the square that an image fills, metres. */
const HALF_SIDE_M = 30;
/** Height adds up to 107 m/s along the satellite's flight at 12 km; its root mean square over heights. */
const HEIGHT_SIGMA_MS = 60;
const REGISTRATION_PX = 0.2;
const MAX_CONFIDENCE = 0.6;

interface Peak {
  readonly column: number;
  readonly row: number;
  readonly significance: number;
  readonly light: number;
}

/**
 * Aircraft in flight in images whose bands look one after the other: three images of one colour each, on a line, apart as the
 * times of their bands. A place counts where one band is lighter than the other two and the ground around explain.
 */
export function aircraftInFlight(block: AnalysisBlock, parameters: FlightParameters): BlockResult {
  const { columns, rows } = block.rect;
  const planes = block.scenes[0]!.slice(0, 3);
  const layer = new Uint8Array(columns * rows);
  const isValid = (i: number): boolean => planes.every((plane) => plane[i] === plane[i]);
  for (let i = 0; i < layer.length; i++) layer[i] = isValid(i) ? BACKGROUND_VALUE : 0;
  const [blue, green, red] = colouredPeaks(planes, columns, rows);
  const objects: FoundObject[] = [];
  for (const triple of triplesOf(blue ?? [], green ?? [], red ?? [], parameters)) {
    const found = objectOf(triple, block, parameters);
    objects.push(found);
    const corners = found.corners.map(([x, y]) => [x - block.rect.column, y - block.rect.row] as const);
    fillBox(layer, columns, rows, corners, AIRCRAFT_VALUE);
  }
  for (let i = 0; i < layer.length; i++) if (layer[i] === AIRCRAFT_VALUE && !isValid(i)) layer[i] = 0;
  return { layers: [layer], objects };
}

/** Places of each band that it alone shows. */
function colouredPeaks(planes: readonly Float32Array[], columns: number, rows: number): readonly (readonly Peak[])[] {
  const size = columns * rows;
  const smooth = planes.map((plane) => boxMean(plane, columns, rows, SMOOTH_PX));
  const levels = smooth.map((plane) => boxMean(plane, columns, rows, AROUND_PX));
  const high = smooth.map((plane, b) => combined(plane, levels[b]!, (value, level) => value - level));
  const covariances = [0, 1, 2].map((a) =>
    [0, 1, 2].map((b) =>
      b < a
        ? null
        : boxMean(
            combined(high[a]!, high[b]!, (x, y) => x * y),
            columns,
            rows,
            AROUND_PX,
          ),
    ),
  );
  const at = (a: number, b: number, i: number): number => covariances[Math.min(a, b)]![Math.max(a, b)]![i]!;
  return [0, 1, 2].map((band) => {
    const [one, two] = [(band + 1) % 3, (band + 2) % 3] as const;
    const significance = new Float32Array(size);
    for (let i = 0; i < size; i++) {
      const light = high[band]![i]!;
      if (!(light > MIN_LIGHT_SHARE * levels[band]![i]!)) continue;
      const [first, second] = [high[one]![i]!, high[two]![i]!];
      if (Math.max(Math.abs(first), Math.abs(second)) > MAX_OTHER * light) continue;
      // Residual of the band after the regression on the other two.
      const [v1, v2, c12] = [at(one, one, i), at(two, two, i), at(one, two, i)];
      const [c1, c2] = [at(band, one, i), at(band, two, i)];
      const determinant = v1 * v2 - c12 * c12;
      if (!(determinant > 1e-6 * v1 * v2)) continue;
      const b1 = (c1 * v2 - c2 * c12) / determinant;
      const b2 = (c2 * v1 - c1 * c12) / determinant;
      const variance = at(band, band, i) - b1 * c1 - b2 * c2;
      if (!(variance > 0)) continue;
      significance[i] = Math.min(light, light - b1 * first - b2 * second) / Math.sqrt(variance);
    }
    return peaksOf(significance, high[band]!, columns, rows);
  });
}

function combined(a: Float32Array, b: Float32Array, of: (a: number, b: number) => number): Float32Array {
  const values = new Float32Array(a.length);
  for (let i = 0; i < values.length; i++) values[i] = of(a[i]!, b[i]!);
  return values;
}

function peaksOf(significance: Float32Array, light: Float32Array, columns: number, rows: number): readonly Peak[] {
  const peaks: Peak[] = [];
  for (let row = PEAK_PX; row < rows - PEAK_PX; row++) {
    for (let column = PEAK_PX; column < columns - PEAK_PX; column++) {
      const i = row * columns + column;
      const value = significance[i]!;
      if (value < MIN_SIGNIFICANCE) continue;
      let [sum, x, y] = [0, 0, 0];
      let isPeak = true;
      for (let dy = -PEAK_PX; dy <= PEAK_PX && isPeak; dy++) {
        for (let dx = -PEAK_PX; dx <= PEAK_PX; dx++) {
          const other = significance[i + dy * columns + dx]!;
          // Of equals the first in the order of rows is the peak.
          if (other > value || (other === value && (dy < 0 || (dy === 0 && dx < 0)))) {
            isPeak = false;
            break;
          }
          const weight = Math.max(0, light[i + dy * columns + dx]!);
          sum += weight;
          x += weight * dx;
          y += weight * dy;
        }
      }
      if (!isPeak) continue;
      peaks.push({ column: column + 0.5 + x / sum, row: row + 0.5 + y / sum, significance: value, light: light[i]! });
    }
  }
  return peaks;
}

type Triple = readonly [blue: Peak, green: Peak, red: Peak];

/** Each image belongs to one aircraft: the most significant triples first. */
function triplesOf(
  blues: readonly Peak[],
  greens: readonly Peak[],
  reds: readonly Peak[],
  { pixelM, parallaxS: [greenS, redS] }: FlightParameters,
): readonly Triple[] {
  const nearest = (SLOWEST_MS * redS) / pixelM;
  const farthest = (FASTEST_MS * redS) / pixelM;
  const found: { readonly triple: Triple; readonly strength: number }[] = [];
  const cellPx = Math.max(8, Math.ceil(farthest));
  const [redCells, greenCells] = [cellsOf(reds, cellPx), cellsOf(greens, cellPx)];
  for (const blue of blues) {
    for (const red of around(redCells, blue, cellPx)) {
      const [dx, dy] = [red.column - blue.column, red.row - blue.row];
      const apart = Math.hypot(dx, dy);
      if (apart < nearest || apart > farthest || !isAlike(blue, red)) continue;
      const [x, y] = [blue.column + (dx * greenS) / redS, blue.row + (dy * greenS) / redS];
      for (const green of around(greenCells, { column: x, row: y }, cellPx)) {
        if (Math.hypot(green.column - x, green.row - y) > TOLERANCE_PX) continue;
        if (!isAlike(blue, green) || !isAlike(green, red)) continue;
        found.push({
          triple: [blue, green, red],
          strength: Math.min(blue.significance, green.significance, red.significance),
        });
      }
    }
  }
  const taken = new Set<Peak>();
  const order = ({ triple: [, green] }: (typeof found)[number]): number => green.row * 1e5 + green.column;
  return found
    .toSorted((a, b) => b.strength - a.strength || order(a) - order(b))
    .flatMap(({ triple }) => {
      if (triple.some((peak) => taken.has(peak))) return [];
      for (const peak of triple) taken.add(peak);
      return [triple];
    });
}

function isAlike(a: Peak, b: Peak): boolean {
  return a.light < MAX_RATIO * b.light && b.light < MAX_RATIO * a.light;
}

function cellsOf(peaks: readonly Peak[], cellPx: number): ReadonlyMap<string, readonly Peak[]> {
  const cells = new Map<string, Peak[]>();
  for (const peak of peaks) {
    const key = `${Math.floor(peak.column / cellPx)} ${Math.floor(peak.row / cellPx)}`;
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, [peak]);
    else cell.push(peak);
  }
  return cells;
}

function around(
  cells: ReadonlyMap<string, readonly Peak[]>,
  { column, row }: { readonly column: number; readonly row: number },
  cellPx: number,
): readonly Peak[] {
  const [x, y] = [Math.floor(column / cellPx), Math.floor(row / cellPx)];
  return [-1, 0, 1].flatMap((dy) => [-1, 0, 1].flatMap((dx) => cells.get(`${x + dx} ${y + dy}`) ?? []));
}

function objectOf(
  [blue, green, red]: Triple,
  { rect, ground }: AnalysisBlock,
  { pixelM, parallaxS: [, redS] }: FlightParameters,
): FoundObject {
  const { metresPerPixelX: sx, metresPerPixelY: sy } = ground;
  const [right, down] = [(red.column - blue.column) * sx, (red.row - blue.row) * sy];
  const metres = Math.hypot(right, down);
  const [east, south] = [right / metres, down / metres];
  const corner = (ahead: number, aside: number): readonly [number, number] => [
    rect.column + green.column + ((east * ahead - south * aside) * HALF_SIDE_M) / sx,
    rect.row + green.row + ((south * ahead + east * aside) * HALF_SIDE_M) / sy,
  ];
  const bearing = (Math.atan2(east, -south) * 180) / Math.PI + ground.northDeg;
  const weakest = Math.min(blue.significance, green.significance, red.significance);
  return {
    className: "aircraft",
    centre: [rect.column + green.column, rect.row + green.row],
    corners: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)],
    areaM2: (2 * HALF_SIDE_M) ** 2,
    count: 1,
    confidence: Math.min(MAX_CONFIDENCE, 0.2 + 0.4 * (1 - MIN_SIGNIFICANCE / weakest)),
    properties: {
      headingDeg: Number((((bearing % 180) + 180) % 180).toFixed(1)),
      speedMs: Number((metres / redS).toFixed(1)),
      speedSigmaMs: Number(Math.hypot(HEIGHT_SIGMA_MS, (REGISTRATION_PX * pixelM) / redS).toFixed(1)),
      significance: Number(weakest.toFixed(1)),
      inFlight: "yes",
    },
  };
}
