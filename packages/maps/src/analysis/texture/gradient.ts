import type { BoxWindows } from "./box-sum.ts";
import { INVALID, STEPS } from "./int-plane.ts";

/** Change per pixel to the right and downwards, of 3 x 3 pixels (Sobel divided by 8). */
export interface Gradient {
  readonly across: Int16Array;
  readonly down: Int16Array;
  /** Length, rounded down. */
  readonly magnitude: Int16Array;
}

/**
 * Gradient of a plane; where one of the nine pixels is invalid or outside it is 0, and `INVALID` where the pixel itself
 * is: edges of the data are no edges of things.
 */
export function gradientOf(plane: Int16Array, columns: number, rows: number): Gradient {
  const across = new Int16Array(plane.length);
  const down = new Int16Array(plane.length);
  const magnitude = new Int16Array(plane.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const i = row * columns + column;
      if (plane[i] === INVALID) {
        across[i] = INVALID;
        down[i] = INVALID;
        magnitude[i] = INVALID;
        continue;
      }
      if (row === 0 || column === 0 || row === rows - 1 || column === columns - 1) continue;
      const nw = plane[i - columns - 1]!;
      const n = plane[i - columns]!;
      const ne = plane[i - columns + 1]!;
      const w = plane[i - 1]!;
      const e = plane[i + 1]!;
      const sw = plane[i + columns - 1]!;
      const s = plane[i + columns]!;
      const se = plane[i + columns + 1]!;
      if (
        nw === INVALID ||
        n === INVALID ||
        ne === INVALID ||
        w === INVALID ||
        e === INVALID ||
        sw === INVALID ||
        s === INVALID ||
        se === INVALID
      ) {
        continue;
      }
      const x = (ne + 2 * e + se - nw - 2 * w - sw) / 8;
      const y = (sw + 2 * s + se - nw - 2 * n - ne) / 8;
      across[i] = Math.round(x);
      down[i] = Math.round(y);
      magnitude[i] = Math.min(32_767, Math.floor(Math.sqrt(x * x + y * y)));
    }
  }
  return { across, down, magnitude };
}

/**
 * Coherence of the structure tensor over windows: `((l1 - l2) / (l1 + l2))^2` of its eigenvalues, in ten-thousandths; near
 * 1 where all edges run the same way, 0 where there are none.
 */
export function coherenceOf(gradient: Gradient, windows: BoxWindows, radius: number): Int16Array {
  const xx = windows.sumsOfSquares(gradient.across, radius);
  const yy = windows.sumsOfSquares(gradient.down, radius);
  const xy = windows.sumsOfProducts(gradient.across, gradient.down, radius);
  const coherence = new Int16Array(xx.length);
  for (let i = 0; i < coherence.length; i++) {
    if (gradient.across[i] === INVALID) {
      coherence[i] = INVALID;
      continue;
    }
    const trace = xx[i]! + yy[i]!;
    if (trace === 0) continue;
    const difference = xx[i]! - yy[i]!;
    const cross = 2 * xy[i]!;
    coherence[i] = Math.round((STEPS * (difference * difference + cross * cross)) / (trace * trace));
  }
  return coherence;
}
