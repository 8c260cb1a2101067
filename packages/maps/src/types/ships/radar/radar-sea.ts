import type { AnalysisBlock } from "../../../analysis/block.ts";
import { seaLevelRow, type SeaLevel } from "../sea/sea-level.ts";
import { seaMask, type SeaMask } from "../sea/sea-mask.ts";

/** Sea within this of land is left out, Sentinel-1 and finer. */
const SHORE_M = 100;
const FINE_SHORE_M = 30;
const FINE_PIXEL_M = 6;
/** Pixels brighter than the sea by this, dB, do not look like sea: 1 in some hundred of speckle of four looks does. */
const UNLIKE_SEA_DB = 5;
/** Brighter than the sea by this, dB, is no sea and does not count for the number of looks. */
const NO_SEA_DB = 8;

/** Sea of a radar image, by coastlines and, where land shows, by what is brighter than the sea. */
export function seaOfBlock(
  { rect, scenes, land }: AnalysisBlock,
  level: SeaLevel,
  landShows: boolean,
  { pixelM }: { readonly pixelM: number },
): SeaMask {
  const { columns, rows } = rect;
  const valid = new Uint8Array(columns * rows).fill(1);
  const unlike = new Uint8Array(columns * rows);
  const usual = new Float32Array(columns);
  for (const [p, plane] of scenes[0]!.entries()) {
    for (let row = 0; row < rows; row++) {
      seaLevelRow(level, p, rect.column, rect.row + row, usual);
      for (let c = 0; c < columns; c++) {
        const i = row * columns + c;
        const power = plane[i]!;
        if (!(power >= 0)) valid[i] = 0;
        else if (landShows && power > 10 ** ((usual[c]! + UNLIKE_SEA_DB) / 10)) unlike[i] = 1;
      }
    }
  }
  const shoreM = pixelM <= FINE_PIXEL_M ? FINE_SHORE_M : SHORE_M;
  return seaMask(valid, unlike, land, columns, rows, { pixelM, shoreM, landShows });
}

/** Sea without what stands out of it. */
export function plainSea({ rect, scenes }: AnalysisBlock, level: SeaLevel, sea: Uint8Array): Uint8Array {
  const usual = new Float32Array(rect.columns);
  const plain = new Uint8Array(sea.length);
  const power = scenes[0]![0]!;
  for (let row = 0; row < rect.rows; row++) {
    seaLevelRow(level, 0, rect.column, rect.row + row, usual);
    for (let c = 0; c < rect.columns; c++) {
      const i = row * rect.columns + c;
      plain[i] = sea[i] !== 0 && !(power[i]! > 10 ** ((usual[c]! + NO_SEA_DB) / 10)) ? 1 : 0;
    }
  }
  return plain;
}
