import type { ModelBand, SceneModel } from "../scene-model.ts";

/** The scan lines of an image: where its middle is and which way the satellite flew, in CRS units. */
export interface ScanLines {
  readonly middleX: number;
  readonly middleY: number;
  readonly aheadX: number;
  readonly aheadY: number;
}

/** The mirror that squared the scan lines of Landsat 7 with its track failed on this day. */
const FAILED_MS = Date.UTC(2003, 4, 31);
const INCLINATION_RAD = (98.2 * Math.PI) / 180;
/** Ground that is seen whole on both sides of the track, and how far the swath reaches. */
const WHOLE_M = 11_000;
const HALF_SWATH_M = 91_500;
/** Two scans of 16 lines of 30 m and the lines between; and the widest gap, 14 lines at the edge of the swath. */
const PERIOD_M = 990;
const WIDEST_M = 420;

/** The scan lines of a scene that has gaps between them, or null. */
export function scanLinesOf(
  { dataset, acquiredAtMs, orbitPass }: SceneModel,
  rings: readonly Float64Array[],
  latDeg: number,
): ScanLines | null {
  if (!dataset.startsWith("LANDSAT/LE07") || acquiredAtMs < FAILED_MS) return null;
  let sumX = 0;
  let sumY = 0;
  let count = 0;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      sumX += ring[i]!;
      sumY += ring[i + 1]!;
      count += 1;
    }
  }
  if (count === 0) return null;
  const east = Math.max(-1, Math.min(1, Math.cos(INCLINATION_RAD) / Math.cos((latDeg * Math.PI) / 180)));
  const north = Math.sqrt(1 - east * east) * (orbitPass === "ascending" ? 1 : -1);
  return { middleX: sumX / count, middleY: sumY / count, aheadX: east, aheadY: north };
}

/** Clears the pixels of a row that lie in gaps between scan lines: wedges that widen towards the edges of the swath. */
export function cutGaps(lines: ScanLines, band: ModelBand, row: number, firstColumn: number, mask: Uint8Array): void {
  const y = band.originY + (row + 0.5) * band.pixelSizeY - lines.middleY;
  for (let i = 0; i < mask.length; i += 1) {
    if (mask[i] === 0) continue;
    const x = band.originX + (firstColumn + i + 0.5) * band.pixelSizeX - lines.middleX;
    const aside = x * lines.aheadY - y * lines.aheadX;
    const off = Math.abs(aside);
    if (off < WHOLE_M) continue;
    const widthM = (WIDEST_M * (off - WHOLE_M)) / (HALF_SWATH_M - WHOLE_M);
    // The mirror sweeps to and fro: where scans part on one side, they meet on the other.
    const along = (x * lines.aheadX + y * lines.aheadY) / PERIOD_M + (aside > 0 ? 0 : 0.5);
    if ((along - Math.floor(along)) * PERIOD_M < widthM) mask[i] = 0;
  }
}
