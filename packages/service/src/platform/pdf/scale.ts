/** The longest of 1, 2 and 5 times a power of ten that is not longer than the room there is, metres. */
export function chooseScaleM(roomM: number): number {
  const power = 10 ** Math.floor(Math.log10(roomM));
  const step = [5, 2].find((factor) => factor * power <= roomM) ?? 1;
  return step * power;
}

/** Round numbers at equal distances that enclose the values. @param count about how many */
export function niceTicks(low: number, high: number, count: number): readonly number[] {
  const span = high > low ? high - low : Math.max(Math.abs(high), 1);
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
