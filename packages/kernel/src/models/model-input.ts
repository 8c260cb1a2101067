import type { AnalysisBlock } from "../analysis/block.ts";
import { toFloat16 } from "./float16.ts";
import type { ModelManifest } from "./model-manifest.ts";
import type { ModelTile } from "./tile-plan.ts";

/** A tensor of numbers, row-major. */
export interface ModelTensor {
  /** Of 16 bits: numbers of half precision, of inputs only. */
  readonly data: Float32Array | Uint8Array | Uint16Array;
  readonly dims: readonly number[];
}

/** Grey that detectors are trained to take for nothing, of 255. */
const PAD = 114;

/**
 * The pixels of a tile as the model wants them. What lies outside the scene is grey; so is what is outside the block.
 *
 * @param ranges stored values per band that become 0 and 255 with `percentile`; else unused
 */
export function modelInput(
  block: AnalysisBlock,
  tile: ModelTile,
  { input, bands }: ModelManifest,
  ranges: readonly (readonly [low: number, high: number])[],
): ModelTensor {
  const [height, width] = input.size;
  const channels = bands.length;
  const data =
    input.dtype === "uint8"
      ? new Uint8ClampedArray(channels * height * width)
      : new Float32Array(channels * height * width);
  const pad = input.valueRange === "reflectance" ? PAD / 255 : PAD;
  for (const band of bands.keys()) {
    const plane = block.scenes[0]?.[band];
    if (plane === undefined) throw new RangeError(`a model of ${channels} bands was given ${band}`);
    const [low, high] = input.valueRange === "percentile" ? (ranges[band] ?? [0, 255]) : [0, 255];
    const gain = high > low ? 255 / (high - low) : 1;
    const mean = input.mean[band] ?? 0;
    const std = input.std[band] ?? 1;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const raw = sample(plane, block, tile, column, row);
        let value = pad;
        if (raw === raw) {
          value = raw;
          if (input.valueRange === "percentile") value = Math.min(255, Math.max(0, (raw - low) * gain));
        }
        const at =
          input.layout === "NCHW" ? (band * height + row) * width + column : (row * width + column) * channels + band;
        data[at] = (value * input.scale - mean) / std;
      }
    }
  }
  return {
    data: tensorData(data, input.dtype),
    dims: input.layout === "NCHW" ? [1, channels, height, width] : [1, height, width, channels],
  };
}

function tensorData(
  data: Float32Array | Uint8ClampedArray,
  dtype: ModelManifest["input"]["dtype"],
): ModelTensor["data"] {
  if (data instanceof Uint8ClampedArray) return new Uint8Array(data.buffer);
  return dtype === "float16" ? toFloat16(data) : data;
}

/** Mean of four points of a pixel when the model's pixels are larger, else the value at its middle. */
function sample(plane: Float32Array, block: AnalysisBlock, tile: ModelTile, column: number, row: number): number {
  const x = tile.column + (column + 0.5) * tile.scaleX - block.rect.column - 0.5;
  const y = tile.row + (row + 0.5) * tile.scaleY - block.rect.row - 0.5;
  if (tile.scaleX <= 1.2 && tile.scaleY <= 1.2) return bilinear(plane, block, x, y);
  const dx = tile.scaleX / 4;
  const dy = tile.scaleY / 4;
  return (
    (bilinear(plane, block, x - dx, y - dy) +
      bilinear(plane, block, x + dx, y - dy) +
      bilinear(plane, block, x - dx, y + dy) +
      bilinear(plane, block, x + dx, y + dy)) /
    4
  );
}

function bilinear(plane: Float32Array, { rect: { columns, rows } }: AnalysisBlock, x: number, y: number): number {
  const i = Math.floor(x);
  const j = Math.floor(y);
  const fx = x - i;
  const fy = y - j;
  if (i < 0 || j < 0 || i + (fx > 0 ? 1 : 0) >= columns || j + (fy > 0 ? 1 : 0) >= rows) return Number.NaN;
  const at = j * columns + i;
  // A weight of 0 must not let a neighbour without data in.
  const top = fx > 0 ? plane[at]! * (1 - fx) + plane[at + 1]! * fx : plane[at]!;
  if (fy === 0) return top;
  const below = at + columns;
  const bottom = fx > 0 ? plane[below]! * (1 - fx) + plane[below + 1]! * fx : plane[below]!;
  return top * (1 - fy) + bottom * fy;
}
