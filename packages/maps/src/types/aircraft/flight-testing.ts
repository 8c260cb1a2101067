/** An aircraft in flight as it is drawn into three bands. */
export interface Flight {
  /** Where blue sees it, pixels. */
  readonly column: number;
  readonly row: number;
  readonly lengthM: number;
  readonly headingDeg: number;
  /** Apparent. */
  readonly speedMs: number;
  /** Reflectance of its paint. */
  readonly light: number;
}

const SUBSAMPLES = 4;

/** Paints a cross of fuselage, wings and tail into blue, green and red, each where the aircraft is at the band's time. */
export function paintFlight(
  planes: readonly Float32Array[],
  columns: number,
  pixelM: number,
  [greenS, redS]: readonly [number, number],
  { column, row, lengthM, headingDeg, speedMs, light }: Flight,
): void {
  const angle = (headingDeg * Math.PI) / 180;
  const [east, south] = [Math.sin(angle), -Math.cos(angle)];
  const reach = Math.ceil(lengthM / pixelM / 2) + 2;
  for (const [band, seconds] of [0, greenS, redS].entries()) {
    const plane = planes[band]!;
    const x = column + (east * speedMs * seconds) / pixelM;
    const y = row + (south * speedMs * seconds) / pixelM;
    for (let r = Math.floor(y) - reach; r <= y + reach; r++) {
      for (let c = Math.floor(x) - reach; c <= x + reach; c++) {
        if (r < 0 || c < 0 || c >= columns || r >= plane.length / columns) continue;
        let share = 0;
        for (let k = 0; k < SUBSAMPLES ** 2; k++) {
          const dx = (c + ((k % SUBSAMPLES) + 0.5) / SUBSAMPLES - x) * pixelM;
          const dy = (r + (Math.floor(k / SUBSAMPLES) + 0.5) / SUBSAMPLES - y) * pixelM;
          const along = (dx * east + dy * south) / lengthM;
          const across = Math.abs(dx * south - dy * east) / lengthM;
          const isFuselage = Math.abs(along) < 0.5 && across < 0.06;
          const isWing = across < 0.47 && Math.abs(along - 0.05 + 0.35 * across) < 0.1;
          const isTail = across < 0.18 && Math.abs(along + 0.42) < 0.06;
          if (isFuselage || isWing || isTail) share += 1 / SUBSAMPLES ** 2;
        }
        const i = r * columns + c;
        plane[i] = plane[i]! * (1 - share) + light * share;
      }
    }
  }
}
