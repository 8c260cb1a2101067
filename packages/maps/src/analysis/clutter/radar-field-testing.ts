import type { AnalysisBlock } from "../block.ts";
import { boxSum } from "../texture/box-sum.ts";

/** A block of pixels of 10 m. */
export function blockOf(columns: number, rows: number, scenes: AnalysisBlock["scenes"]): AnalysisBlock {
  const rect = { column: 0, row: 0, columns, rows };
  const ground = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 9, latDeg: 49 };
  return { rect, core: rect, scenes, land: null, ground };
}

/** Normal numbers of deviation 1 over a square, smoothed three times over boxes of that radius. */
export function smoothField(side: number, radius: number, normal: () => number): Float64Array {
  let field: Float64Array = Float64Array.from({ length: side * side }, () => normal());
  for (let i = 0; i < 3; i++) field = boxSum(field, side, side, radius);
  const deviation = Math.sqrt(field.reduce((sum, value) => sum + value * value, 0) / field.length);
  return field.map((value) => value / deviation);
}

/** 1 on so large a share of a square, in shapes with winding edges. */
export function windingShape(side: number, share: number, normal: () => number): Uint8Array {
  const field = smoothField(side, 9, normal);
  const limit = field.toSorted()[Math.floor(share * field.length)]!;
  return Uint8Array.from(field, (value) => (value < limit ? 1 : 0));
}

/** Power of mean 1 and so many half looks, of which neighbours share some: amplitudes are averaged over 3 pixels each way. */
export function correlatedSpeckle(side: number, halfLooks: number, normal: () => number): Float64Array {
  const power = new Float64Array(side * side);
  for (let look = 0; look < halfLooks; look++) {
    const white: Float64Array = Float64Array.from({ length: side * side }, () => normal());
    const amplitude = boxSum(white, side, side, 1);
    for (let i = 0; i < power.length; i++) power[i]! += amplitude[i]! ** 2 / (9 * halfLooks);
  }
  return power;
}
