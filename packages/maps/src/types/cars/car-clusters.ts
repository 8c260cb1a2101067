import type { AnalysisBlock, FoundObject } from "../../analysis/block.ts";
import { componentMembers, connectedComponents } from "@swath/kernel/raster-mathematics/connected-components";
import { pixelsRectangle } from "@swath/kernel/raster-mathematics/min-area-rectangle";

/** Width of a stall, metres: the space of one car in a row. */
const STALL_M = 2.6;
const SHORT_SIDE_M = { min: 3.4, max: 6 } as const;
const LONG_SIDE_M = { min: 3.8, max: 30 } as const;
const MIN_FILL = 0.6;
/** Only where cars stand already: elsewhere such a group is a shed or a tree. */
const NEAR_M = 9;
const MIN_NEIGHBOURS = 2;
const CONFIDENCE = 0.35;

/**
 * Groups of pixels unlike the ground that are as long as a row of cars and as wide as one is long, and stand among cars
 * that were found singly. Their number follows from the length.
 *
 * @param contrast more than 0 where pixels are unlike the ground
 * @param layer what has been found already; only values of ground are looked at
 */
export function carClusters(
  contrast: Float32Array,
  layer: Uint8Array,
  block: AnalysisBlock,
  singles: readonly FoundObject[],
): readonly FoundObject[] {
  const { rect, ground } = block;
  const { columns, rows } = rect;
  const left = new Uint8Array(columns * rows);
  const isGround = layer.reduce((most, value) => Math.max(most, value), 0);
  for (let i = 0; i < left.length; i++) left[i] = contrast[i]! > 0 && layer[i] === isGround ? 1 : 0;
  const metres = Math.sqrt(ground.metresPerPixelX * ground.metresPerPixelY);
  const pixelM2 = ground.metresPerPixelX * ground.metresPerPixelY;
  const found: FoundObject[] = [];
  for (const members of componentMembers(connectedComponents(left, columns, rows))) {
    const areaM2 = members.length * pixelM2;
    if (areaM2 < SHORT_SIDE_M.min * LONG_SIDE_M.min * MIN_FILL || areaM2 > SHORT_SIDE_M.max * LONG_SIDE_M.max) continue;
    const { centre, corners, lengthPx, widthPx } = pixelsRectangle(members, columns);
    const [long, short] = [lengthPx * metres, widthPx * metres];
    if (short < SHORT_SIDE_M.min || short > SHORT_SIDE_M.max || long < LONG_SIDE_M.min || long > LONG_SIDE_M.max)
      continue;
    if (areaM2 < MIN_FILL * long * short) continue;
    const middle = [centre[0] + rect.column, centre[1] + rect.row] as const;
    const near = singles.filter(
      ({ centre: [x, y] }) => Math.hypot(x - middle[0], y - middle[1]) * metres < NEAR_M + long / 2,
    );
    if (near.length < MIN_NEIGHBOURS) continue;
    found.push({
      className: "cars",
      centre: middle,
      corners: corners.map(([x, y]) => [x + rect.column, y + rect.row] as const),
      areaM2,
      count: Math.max(2, Math.round(long / STALL_M)),
      confidence: CONFIDENCE,
      properties: { lengthM: Number(long.toFixed(1)), widthM: Number(short.toFixed(1)) },
    });
  }
  return found;
}
