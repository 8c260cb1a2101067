import type { BandRole } from "@swath/kernel/bands/band-role";
import type { AnalysisBlock, PixelRect } from "../block.ts";
import type { OpticalParameters } from "./optical-block.ts";

/** Reflectance of a made-up scene at a pixel, in the order of its roles; null where there is no data. */
export type Painter = (column: number, row: number) => readonly number[] | null;

/** Band roles of made-up scenes with shortwave infrared. */
export const ROLES: readonly BandRole[] = ["B", "G", "R", "N", "S1", "S2"];

/** Typical surface reflectance in the order of `ROLES`. */
export const SPECTRA = {
  water: [0.05, 0.04, 0.02, 0.01, 0.005, 0.003],
  forest: [0.02, 0.04, 0.02, 0.35, 0.15, 0.06],
  field: [0.06, 0.08, 0.1, 0.25, 0.28, 0.2],
  roof: [0.25, 0.26, 0.27, 0.3, 0.32, 0.3],
  street: [0.09, 0.1, 0.11, 0.13, 0.15, 0.14],
  cloud: [0.6, 0.6, 0.6, 0.62, 0.5, 0.4],
  snow: [0.8, 0.8, 0.78, 0.7, 0.1, 0.06],
  shadow: [0.02, 0.02, 0.02, 0.05, 0.04, 0.02],
  burned: [0.03, 0.04, 0.05, 0.1, 0.16, 0.15],
} as const;

/** What the plan of a scene of 10 m pixels in reflectance says, but for what is given. */
export function opticalTestParameters(
  columns: number,
  rows: number,
  given: Partial<OpticalParameters> = {},
): OpticalParameters {
  return {
    roles: ROLES,
    scale: 1,
    gsdM: 10,
    gridColumns: columns,
    gridRows: rows,
    sunAzimuthDeg: null,
    sunElevationDeg: null,
    sunSource: null,
    ...given,
  };
}

/**
 * The block of a made-up scene of `columns` x `rows` pixels whose core is given, with the noise of a sensor: the same for
 * the same pixel of the scene, whatever the block.
 */
export function paintedBlock(
  core: PixelRect,
  marginPx: number,
  size: readonly [columns: number, rows: number],
  paint: Painter | readonly Painter[],
  { roles, gsdM }: Pick<OpticalParameters, "roles" | "gsdM">,
  noise = 0.002,
): AnalysisBlock {
  const rect = {
    column: core.column - marginPx,
    row: core.row - marginPx,
    columns: core.columns + 2 * marginPx,
    rows: core.rows + 2 * marginPx,
  };
  const painters = typeof paint === "function" ? [paint] : paint;
  const scenes = painters.map((painter) => {
    const planes = roles.map(() => new Float32Array(rect.columns * rect.rows).fill(Number.NaN));
    for (let row = 0; row < rect.rows; row++) {
      for (let column = 0; column < rect.columns; column++) {
        const x = rect.column + column;
        const y = rect.row + row;
        if (x < 0 || y < 0 || x >= size[0] || y >= size[1]) continue;
        const values = painter(x, y);
        if (values === null) continue;
        for (const [i, plane] of planes.entries()) {
          plane[row * rect.columns + column] = values[i]! + noise * (hash(x, y, i) - 0.5);
        }
      }
    }
    return planes;
  });
  return {
    rect,
    core,
    scenes,
    land: null,
    ground: { metresPerPixelX: gsdM, metresPerPixelY: gsdM, northDeg: 0, lonDeg: 9, latDeg: 49 },
  };
}

/** 0 to 1. */
export function hash(x: number, y: number, i: number): number {
  let state = Math.imul(x + 1, 0x9e37_79b1) ^ Math.imul(y + 1, 0x85eb_ca6b) ^ Math.imul(i + 1, 0xc2b2_ae35);
  state = Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d);
  state = Math.imul(state ^ (state >>> 12), 0x297a_2d39);
  return ((state ^ (state >>> 15)) >>> 0) / 4_294_967_296;
}
