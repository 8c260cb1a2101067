import { BLOCK_PX } from "./block.ts";

const pixelRow = (): Float32Array => new Float32Array(BLOCK_PX);
/** The fields of the row in hand. */
const buffers = {
  shore: pixelRow(),
  river: pixelRow(),
  woods: pixelRow(),
  light: pixelRow(),
  wet: pixelRow(),
  now: pixelRow(),
  dry: pixelRow(),
  warm: pixelRow(),
  green: pixelRow(),
  bank: pixelRow(),
  grain: pixelRow(),
  jitter: pixelRow(),
  swell: pixelRow(),
  deep: pixelRow(),
  tree: pixelRow(),
  marsh: pixelRow(),
};

export type GroundRow = typeof buffers;

const views = new Map<number, GroundRow>();

/** The fields of a row of so many pixels, shared by all rows of the thread: one row is painted at a time. */
export function rowOf(columns: number): GroundRow {
  let row = views.get(columns);
  if (row === undefined) {
    row = Object.fromEntries(
      Object.entries(buffers).map(([name, buffer]) => [name, buffer.subarray(0, columns)]),
    ) as GroundRow;
    views.set(columns, row);
  }
  return row;
}
