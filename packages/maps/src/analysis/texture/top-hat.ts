import { TextureCall } from "./texture-kernel.ts";

/** Pixels around that the top-hat of one pixel depends on. */
export const TOP_HAT_REACH_PX = 2;

/**
 * What of a plane is brighter than its opening by 3 x 3 pixels: things of one or two pixels width that stand out from what is around,
 * 0 in plain ground and along the edges of large things. Invalid pixels and what lies outside do not count; `INVALID` where the
 * pixel is.
 */
export function topHat(plane: Int16Array, columns: number, rows: number): Int16Array {
  const call = new TextureCall();
  const count = plane.length;
  const hat = call.plane(count);
  call.kernel.topHat(call.put(plane), call.plane(count), hat, columns, rows);
  return call.int16(hat, count);
}
