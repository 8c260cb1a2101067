import { doublesOf, TextureCall } from "./texture-kernel.ts";

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
  const call = new TextureCall();
  const count = plane.length;
  const [across, down, magnitude] = [call.plane(count), call.plane(count), call.plane(count)];
  call.kernel.gradient(call.put(plane), across, down, magnitude, columns, rows);
  return { across: call.int16(across, count), down: call.int16(down, count), magnitude: call.int16(magnitude, count) };
}

/**
 * Coherence of the structure tensor over windows: `((l1 - l2) / (l1 + l2))^2` of its eigenvalues, in ten-thousandths; near
 * 1 where all edges run the same way, 0 where there are none.
 */
export function coherenceOf({ across, down }: Gradient, columns: number, rows: number, radius: number): Int16Array {
  const call = new TextureCall();
  const to = call.plane(across.length);
  const lines = call.lines(6 * doublesOf(columns));
  call.kernel.coherence(call.put(across), call.put(down), to, columns, rows, radius, lines);
  return call.int16(to, across.length);
}
