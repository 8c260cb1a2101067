/** A figure of an object, to tenths. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
