import { componentMembers, connectedComponents } from "@swath/kernel/raster-mathematics/connected-components";
import type { PixelGround } from "../block.ts";
import type { OpticalBands, OpticalParameters } from "../optical/optical-block.ts";
import { dilated } from "../texture/mask-morphology.ts";

/** Where shadows may lie, on the pixels of the overview. Plain data. */
export interface ShadowMatch {
  readonly found: boolean;
  readonly columns: number;
  /** Pixels of the grid that one pixel of the mask spans. */
  readonly step: number;
  readonly mask: Uint8Array;
  /** Near-infrared reflectance that shadows stay below, ten-thousandths. */
  readonly darkBelow: number;
}

/** Heights of cloud tops above the ground that are tried, metres. */
const LOWEST_M = 200;
const HIGHEST_M = 12_000;
/** Share of a cloud's shifted outline, outside of clouds, that must be dark. */
const MIN_SIMILARITY = 0.3;
/** Shadows lie among the darkest third of what is clear. */
const DARK_SHARE = 0.35;
const MAX_CLOUDS = 2000;
const MIN_SUN_ELEVATION_DEG = 10;

/**
 * Moves each cloud of the overview away from the sun, for heights of 0.2 to 12 km in steps of a pixel, and keeps the
 * height at which most of its outline is dark (Zhu and Woodcock 2012); below a similarity of 0.3 it throws none.
 */
export function matchShadows(
  bands: OpticalBands,
  clouds: Uint8Array,
  { sunAzimuthDeg, sunElevationDeg }: Pick<OpticalParameters, "sunAzimuthDeg" | "sunElevationDeg">,
  ground: PixelGround,
  step: number,
): ShadowMatch {
  const { columns, rows, valid } = bands;
  const nothing = { found: false, columns, step, mask: new Uint8Array(0), darkBelow: 0 };
  if (sunAzimuthDeg === null || sunElevationDeg === null || sunElevationDeg < MIN_SUN_ELEVATION_DEG) return nothing;
  if (!clouds.includes(1)) return nothing;
  const nir = bands.planes.N ?? bands.planes.R!;
  const darkBelow = darkLimit(nir, valid, clouds);
  // Away from the sun, in pixels per metre of height.
  const bearing = ((sunAzimuthDeg + 180 - ground.northDeg) * Math.PI) / 180;
  const perHeight = 1 / Math.tan((sunElevationDeg * Math.PI) / 180);
  const dx = (Math.sin(bearing) * perHeight) / ground.metresPerPixelX;
  const dy = (-Math.cos(bearing) * perHeight) / ground.metresPerPixelY;
  const perPixelM = 1 / Math.max(Math.abs(dx), Math.abs(dy), 1e-9);
  const mask = new Uint8Array(clouds.length);
  const members = componentMembers(connectedComponents(clouds, columns, rows));
  const largest = members.toSorted((a, b) => b.length - a.length).slice(0, MAX_CLOUDS);
  for (const cloud of largest) {
    let best = MIN_SIMILARITY;
    let bestHeight = -1;
    const stride = Math.max(1, Math.floor(cloud.length / 2000));
    for (let height = LOWEST_M; height <= HIGHEST_M; height += Math.max(50, perPixelM)) {
      const shiftX = Math.round(dx * height);
      const shiftY = Math.round(dy * height);
      let outside = 0;
      let dark = 0;
      for (let m = 0; m < cloud.length; m += stride) {
        const at = shifted(cloud[m]!, shiftX, shiftY, columns, rows);
        if (at < 0 || valid[at] === 0 || clouds[at] === 1) continue;
        outside++;
        if (nir[at]! < darkBelow) dark++;
      }
      // A shadow that is nearly all under the cloud itself proves nothing.
      if (outside * stride < 0.2 * cloud.length) continue;
      if (dark / outside > best) {
        best = dark / outside;
        bestHeight = height;
      }
    }
    if (bestHeight < 0) continue;
    const shiftX = Math.round(dx * bestHeight);
    const shiftY = Math.round(dy * bestHeight);
    for (const member of cloud) {
      const at = shifted(member, shiftX, shiftY, columns, rows);
      if (at >= 0) mask[at] = 1;
    }
  }
  const found = mask.includes(1);
  return { found, columns, step, mask: found ? dilated(mask, columns, rows, step === 1 ? 3 : 1) : mask, darkBelow };
}

function shifted(at: number, shiftX: number, shiftY: number, columns: number, rows: number): number {
  const row = Math.floor(at / columns);
  const x = at - row * columns + shiftX;
  const y = row + shiftY;
  return x < 0 || y < 0 || x >= columns || y >= rows ? -1 : y * columns + x;
}

function darkLimit(nir: Int16Array, valid: Uint8Array, clouds: Uint8Array): number {
  const clear = nir.filter((_, i) => valid[i] === 1 && clouds[i] === 0).toSorted();
  return clear.length === 0 ? 0 : clear[Math.floor(DARK_SHARE * (clear.length - 1))]!;
}
