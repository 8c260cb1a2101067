import { countAround, dilated, eroded } from "../../../analysis/texture/mask-morphology.ts";

/** Where ships are looked for in a block. */
export interface SeaMask {
  /** 1 on valid sea that is far enough from land. */
  readonly sea: Uint8Array;
  /** 1 within a kilometre of land, or as far as the block shows. */
  readonly nearShore: Uint8Array;
}

export interface SeaMaskOptions {
  readonly pixelM: number;
  /** Sea closer to land is omitted: walls and moored ships look alike there. */
  readonly shoreM: number;
  /** Whether land stands out from the sea in this scene; if not, coastlines alone decide. */
  readonly landShows: boolean;
}

/** Side of the square in which land fills more than half; the largest ships with their side lobes fill a third of it. */
const LAND_WINDOW_M = 700;
/** Coastlines of scale 1:10 million err by some hundred metres. */
const COASTLINE_ERROR_M = 600;
const NEAR_SHORE_M = 1000;
/** Reach of windows is limited, so that a block's margin covers them. */
const MAX_REACH_PX = 40;

/**
 * Tells sea from land: land is what fills more than half of a square of 700 m with pixels unlike the sea, and what the
 * coastlines call land further inland than they err. Water in between, such as harbours, stays sea.
 *
 * @param valid 1 where pixels have data
 * @param unlikeSea 1 where pixels do not look like sea
 * @param coastline 1 on land by the coastlines, or null
 */
export function seaMask(
  valid: Uint8Array,
  unlikeSea: Uint8Array,
  coastline: Uint8Array | null,
  columns: number,
  rows: number,
  { pixelM, shoreM, landShows }: SeaMaskOptions,
): SeaMask {
  const pixels = (metres: number): number => Math.min(MAX_REACH_PX, Math.max(1, Math.round(metres / pixelM)));
  const reach = pixels(LAND_WINDOW_M / 2);
  const known = countAround(valid, columns, rows, reach);
  const strange = countAround(unlikeSea, columns, rows, reach);
  const core = new Uint8Array(valid.length);
  for (let i = 0; i < core.length; i++) core[i] = known[i]! > 0 && 2 * strange[i]! > known[i]! ? 1 : 0;
  // The square is half full at a straight shore; corners and spits come back where their own pixels are unlike the sea.
  const around = dilated(core, columns, rows, reach);
  const land = new Uint8Array(valid.length);
  for (let i = 0; i < land.length; i++) land[i] = core[i] !== 0 || (around[i] !== 0 && unlikeSea[i] !== 0) ? 1 : 0;
  if (coastline !== null) {
    const inland = landShows ? eroded(coastline, columns, rows, pixels(COASTLINE_ERROR_M)) : coastline;
    for (let i = 0; i < land.length; i++) if (inland[i] !== 0) land[i] = 1;
  }
  const shore = dilated(land, columns, rows, pixels(landShows ? shoreM : COASTLINE_ERROR_M));
  const sea = new Uint8Array(valid.length);
  for (let i = 0; i < sea.length; i++) sea[i] = valid[i] !== 0 && shore[i] === 0 ? 1 : 0;
  return { sea, nearShore: dilated(land, columns, rows, pixels(NEAR_SHORE_M)) };
}
