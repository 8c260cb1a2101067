import type { AnalysisBlock, BlockAlgorithm, BlockResult, FoundObject } from "../../analysis/block.ts";
import { boxMean } from "../../analysis/shape/box-mean.ts";
import { componentMembers, connectedComponents } from "@swath/kernel/raster-mathematics/connected-components";
import { pixelsRectangle } from "@swath/kernel/raster-mathematics/min-area-rectangle";
import { poolPixels, surveyPools, type PoolModel, type PoolPixels } from "./pool-colour.ts";

/** Values of the class layer. */
export const POOL_VALUE = 1;
export const OTHER_VALUE = 2;

const AREA_M2 = { min: 8, max: 500 } as const;
const SIDE_M = { shortest: 2, longest: 40 } as const;
const MOST_ELONGATED = 5;
/** Of the rectangle around it: kidneys and circles fill 0.7 and more. */
const LEAST_FILLED = 0.55;
/** A pool has a rim. Share of the pixels around it, within so many metres, that may be water. */
const RIM = { widthM: 3, mostWater: 0.35 } as const;
/** No house stands in the sea: shares of a square around. */
const AROUND = { radiusM: 24, mostWater: 0.35, leastBuilt: 0.08 } as const;
const MOST_CONFIDENCE = 0.6;

/** Swimming pools: small turquoise areas with a rim, that are brighter than the ground around and black in near infrared. */
export const detectPools: BlockAlgorithm<object, PoolModel> = {
  survey: (survey) => surveyPools(survey),
  compute: detect,
  describe: ({ haze, builtBlue }) => ({
    haze: haze.map((value) => Number(value.toPrecision(4))),
    builtBlue: Number(builtBlue.toPrecision(4)),
  }),
};

function detect(block: AnalysisBlock, model: PoolModel): BlockResult {
  const { rect, ground } = block;
  const { columns, rows } = rect;
  const { metresPerPixelX, metresPerPixelY } = ground;
  const metres = Math.sqrt(metresPerPixelX * metresPerPixelY);
  const pixels = poolPixels(block, model);
  const around = Math.round(AROUND.radiusM / metres);
  const water = boxMean(shares(pixels.water, pixels.valid), columns, rows, around);
  const built = boxMean(shares(pixels.built, pixels.valid), columns, rows, around);
  const layer = Uint8Array.from(pixels.valid, (valid) => (valid === 1 ? OTHER_VALUE : 0));
  const objects: FoundObject[] = [];
  for (const members of componentMembers(connectedComponents(pixels.pool, columns, rows))) {
    const areaM2 = members.length * metresPerPixelX * metresPerPixelY;
    if (areaM2 < AREA_M2.min || areaM2 > AREA_M2.max) continue;
    const { centre, corners, lengthPx, widthPx } = pixelsRectangle(members, columns);
    const [lengthM, widthM] = [lengthPx * metres, widthPx * metres];
    if (widthM < SIDE_M.shortest || lengthM > SIDE_M.longest || lengthM > MOST_ELONGATED * widthM) continue;
    const filled = areaM2 / (lengthM * widthM);
    if (filled < LEAST_FILLED) continue;
    const middle = Math.floor(centre[1]) * columns + Math.floor(centre[0]);
    if (water[middle]! > AROUND.mostWater || !(built[middle]! >= AROUND.leastBuilt)) continue;
    if (wetRim(members, pixels, columns, rows, Math.max(2, Math.round(RIM.widthM / metres))) > RIM.mostWater) continue;
    for (const at of members) layer[at] = POOL_VALUE;
    let contrast = 0;
    for (const at of members) contrast += pixels.contrast[at]! / members.length;
    objects.push({
      className: "pools",
      centre: [rect.column + centre[0], rect.row + centre[1]],
      corners: corners.map(([x, y]) => [rect.column + x, rect.row + y] as const),
      areaM2,
      count: 1,
      confidence: Math.min(MOST_CONFIDENCE, 0.2 + 0.1 * Math.min(3, contrast - 1) + 0.2 * Math.min(1, filled / 0.85)),
      properties: { lengthM: Number(lengthM.toFixed(1)), widthM: Number(widthM.toFixed(1)) },
    });
  }
  return { layers: [layer], objects };
}

function shares(set: Uint8Array, valid: Uint8Array): Float32Array {
  return Float32Array.from(set, (value, i) => (valid[i] === 1 ? value : Number.NaN));
}

/** Share of water among the known pixels no further from the members than `widthPx` that are no members. */
function wetRim(
  members: Int32Array,
  { valid, water }: PoolPixels,
  columns: number,
  rows: number,
  widthPx: number,
): number {
  const inside = new Set(members);
  const rim = new Set<number>();
  for (const at of members) {
    const row = Math.floor(at / columns);
    const column = at - row * columns;
    for (let y = Math.max(0, row - widthPx); y <= Math.min(rows - 1, row + widthPx); y++) {
      for (let x = Math.max(0, column - widthPx); x <= Math.min(columns - 1, column + widthPx); x++) {
        const neighbour = y * columns + x;
        if (valid[neighbour] === 1 && !inside.has(neighbour)) rim.add(neighbour);
      }
    }
  }
  let wet = 0;
  for (const at of rim) wet += water[at]!;
  return rim.size === 0 ? 1 : wet / rim.size;
}
