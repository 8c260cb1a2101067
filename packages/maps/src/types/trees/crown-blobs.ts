import { gaussianBlur } from "./gaussian-blur.ts";

/** A round spot of a field. Pixels of the block; 0.5 is the middle of the first. */
export interface Blob {
  readonly column: number;
  readonly row: number;
  readonly radiusM: number;
  /** 0.74 for a disc of 1 on 0, less where it touches others. */
  readonly response: number;
}

/** Radii of crowns that are looked for, metres, each by the same factor larger. */
const SMALLEST_RADIUS_M = 1.5;
const RATIO = 1.22;
const SCALES = 9;
const LARGEST_RADIUS_M = SMALLEST_RADIUS_M * RATIO ** (SCALES - 1);
/** Weakest answer of the smallest and of middling and larger crowns: the grain of leaves answers at small scales. */
const LEAST_RESPONSE = { small: 0.34, large: 0.16, largeFromM: 3.2 } as const;
/** A ridge bends in one direction only: the weaker curvature has to be this share of the stronger. */
const ROUND = 0.3;
/** Two spots whose middles are nearer than this share of the larger radius are one crown. */
const SAME = 1;
/** Turns of taking the strongest spot around, each of which looks two radii further; what they leave undecided is dropped. */
const SUPPRESSION_TURNS = 3;

/**
 * Round spots by differences of two blurred planes, which stand for the Laplacian of a Gaussian (Lindeberg 1998, Lowe
 * 2004): the strongest answer over place and scale tells the middle and the radius.
 *
 * @param field 0 to 1
 */
export function crownBlobs(
  field: Float32Array,
  columns: number,
  rows: number,
  metresPerPixelX: number,
  metresPerPixelY: number,
): readonly Blob[] {
  const blobs: Blob[] = [];
  const blurred = (scale: number): Float32Array => {
    const sigmaM = (SMALLEST_RADIUS_M * RATIO ** (scale - 0.5)) / Math.SQRT2;
    return gaussianBlur(field, columns, rows, sigmaM / metresPerPixelX, sigmaM / metresPerPixelY);
  };
  // Three answers at a time: of the scale in hand, of the next smaller and of the next larger.
  let last = blurred(-1);
  const answer = (scale: number): Float32Array => {
    const next = blurred(scale + 1);
    const difference = new Float32Array(field.length);
    for (let i = 0; i < difference.length; i++) difference[i] = (last[i]! - next[i]!) / (RATIO - 1);
    last = next;
    return difference;
  };
  let [smaller, here] = [answer(-1), answer(0)];
  for (let scale = 0; scale < SCALES; scale++) {
    const larger = answer(scale + 1);
    const radiusM = SMALLEST_RADIUS_M * RATIO ** scale;
    const least = leastResponse(radiusM);
    for (let row = 1; row < rows - 1; row++) {
      for (let column = 1; column < columns - 1; column++) {
        const at = row * columns + column;
        const response = here[at]!;
        if (response < least || response < smaller[at]! || response <= larger[at]!) continue;
        if (!isPeak(here, at, columns) || !isRound(here, at, columns)) continue;
        blobs.push({ column: column + 0.5, row: row + 0.5, radiusM, response });
      }
    }
    [smaller, here] = [here, larger];
  }
  return suppressed(blobs, metresPerPixelX, metresPerPixelY);
}

function leastResponse(radiusM: number): number {
  const { small, large, largeFromM } = LEAST_RESPONSE;
  const share = Math.min(1, (radiusM - SMALLEST_RADIUS_M) / (largeFromM - SMALLEST_RADIUS_M));
  return small + share * (large - small);
}

function isPeak(plane: Float32Array, at: number, columns: number): boolean {
  const value = plane[at]!;
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      if (dx === 0 && dy === 0) continue;
      const other = plane[at + dy * columns + dx]!;
      // Of equal neighbours the first is the peak.
      if (other > value || (other === value && (dy < 0 || (dy === 0 && dx < 0)))) return false;
    }
  }
  return true;
}

function isRound(plane: Float32Array, at: number, columns: number): boolean {
  const middle = plane[at]!;
  const xx = plane[at - 1]! + plane[at + 1]! - 2 * middle;
  const yy = plane[at - columns]! + plane[at + columns]! - 2 * middle;
  const xy =
    (plane[at + columns + 1]! + plane[at - columns - 1]! - plane[at + columns - 1]! - plane[at - columns + 1]!) / 4;
  const spread = Math.sqrt(((xx - yy) / 2) ** 2 + xy * xy);
  const strong = (xx + yy) / 2 - spread;
  const weak = (xx + yy) / 2 + spread;
  return weak <= ROUND * strong;
}

/**
 * The strongest of spots that are too near each other. In each turn all that are the strongest around stay and what is
 * near them goes, so that a spot depends on a bounded neighbourhood and blocks agree.
 */
function suppressed(blobs: readonly Blob[], metresPerPixelX: number, metresPerPixelY: number): readonly Blob[] {
  const reach = SAME * LARGEST_RADIUS_M;
  const cellOf = ({ column, row }: Blob): readonly [number, number] => [
    Math.floor((column * metresPerPixelX) / reach),
    Math.floor((row * metresPerPixelY) / reach),
  ];
  let waiting = blobs;
  const kept: Blob[] = [];
  for (let turn = 0; turn < SUPPRESSION_TURNS && waiting.length > 0; turn++) {
    const cells = Map.groupBy(waiting, (blob) => cellOf(blob).join());
    const near = (blob: Blob): readonly Blob[] => {
      const [x, y] = cellOf(blob);
      const found: Blob[] = [];
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          for (const other of cells.get(`${x + dx},${y + dy}`) ?? []) {
            const apart = Math.hypot(
              (other.column - blob.column) * metresPerPixelX,
              (other.row - blob.row) * metresPerPixelY,
            );
            if (other !== blob && apart < SAME * Math.max(blob.radiusM, other.radiusM)) found.push(other);
          }
        }
      }
      return found;
    };
    const strongest = waiting.filter((blob) => near(blob).every((other) => isStronger(blob, other)));
    const gone = new Set([...strongest, ...strongest.flatMap(near)]);
    kept.push(...strongest);
    waiting = waiting.filter((blob) => !gone.has(blob));
  }
  return kept;
}

/** Of a whole crown and of a bough of it, the crown: an answer counts more the larger the spot. */
function isStronger(a: Blob, b: Blob): boolean {
  const [first, second] = [a.response * a.radiusM, b.response * b.radiusM];
  if (first !== second) return first > second;
  return a.row !== b.row ? a.row < b.row : a.column < b.column;
}
