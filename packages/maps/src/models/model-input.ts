import type { AnalysisBlock } from "../analysis/block.ts";
import { toFloat16 } from "./float16.ts";
import { channelScaling, scaled } from "./channel-scaling.ts";
import { channelCount, type ModelManifest } from "./model-manifest.ts";
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
 * The pixels of a tile in the form of the model's input. Pixels outside the scene or the block are grey.
 *
 * @param ranges stored values per channel that become 0 and 255 with `percentile`; else unused
 */
export function modelInput(
  block: AnalysisBlock,
  tile: ModelTile,
  manifest: ModelManifest,
  ranges: readonly (readonly [low: number, high: number])[],
): ModelTensor {
  const { input } = manifest;
  const [height, width] = input.size;
  const channels = channelCount(manifest);
  const count = channels * height * width;
  const data = input.dtype === "uint8" ? new Uint8ClampedArray(count) : new Float32Array(count);
  const pad = input.valueRange === "reflectance" ? PAD / 255 : PAD;
  const parts = tile.scaleX <= 1.2 && tile.scaleY <= 1.2 ? 1 : 2;
  const across = pointsAlong(tile.column - block.rect.column, tile.scaleX, width, parts, block.rect.columns);
  const down = pointsAlong(tile.row - block.rect.row, tile.scaleY, height, parts, block.rect.rows);
  const [stepOfChannel, stepOfPixel] = input.layout === "NCHW" ? [height * width, 1] : [1, channels];
  const planes = block.scenes.flat();
  for (let channel = 0; channel < channels; channel++) {
    const plane = planes[channel];
    if (plane === undefined) throw new RangeError(`a model of ${channels} channels was given ${channel}`);
    const scaling = channelScaling(manifest, ranges, channel);
    const padded = (pad * scaling.scale - scaling.mean) / scaling.std;
    let at = channel * stepOfChannel;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const raw = meanAt(plane, block.rect.columns, across, column * parts, down, row * parts, parts);
        data[at] = raw === raw ? scaled(raw, scaling) : padded;
        at += stepOfPixel;
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

/** Where points lie between the middles of pixels of the block, along one axis. */
interface Points {
  /** The pixel before; -1 where a point lies outside the block. */
  readonly pixel: Int32Array;
  /** How far the point is on the way to the next pixel. */
  readonly share: Float64Array;
}

/** The middle of each pixel of the model, or the middles of its halves where it is larger than a pixel of the block. */
function pointsAlong(origin: number, scale: number, count: number, parts: number, length: number): Points {
  const pixel = new Int32Array(count * parts);
  const share = new Float64Array(count * parts);
  for (let index = 0; index < pixel.length; index++) {
    const place = origin + ((index + 0.5) / parts) * scale - 0.5;
    const before = Math.floor(place);
    share[index] = place - before;
    pixel[index] = before < 0 || before + (place > before ? 1 : 0) >= length ? -1 : before;
  }
  return { pixel, share };
}

/** Mean of one or of two by two points, each between four pixels; NaN where one has no data. */
function meanAt(
  plane: Float32Array,
  columns: number,
  across: Points,
  column: number,
  down: Points,
  row: number,
  parts: number,
): number {
  let sum = 0;
  for (let v = row; v < row + parts; v++) {
    const j = down.pixel[v]!;
    const fy = down.share[v]!;
    for (let u = column; u < column + parts; u++) {
      const i = across.pixel[u]!;
      if (i < 0 || j < 0) return Number.NaN;
      const fx = across.share[u]!;
      const at = j * columns + i;
      // A weight of 0 must not let a neighbour without data in.
      let value = fx > 0 ? plane[at]! * (1 - fx) + plane[at + 1]! * fx : plane[at]!;
      if (fy > 0) {
        const below = at + columns;
        value = value * (1 - fy) + (fx > 0 ? plane[below]! * (1 - fx) + plane[below + 1]! * fx : plane[below]!) * fy;
      }
      sum += value;
    }
  }
  return sum / parts / parts;
}
