import type { AnalysisBlock, BlockResult } from "../analysis/block.ts";
import { channelScaling, scaled } from "./channel-scaling.ts";
import { decodeRowClasses, decodeRowValues } from "./decode-values.ts";
import { channelCount } from "./model-manifest.ts";
import { ModelOutputError } from "./output-shapes.ts";
import { modelBackground, type Infer, type ModelParameters } from "./run-model.ts";

/** Rows that a model is given at once: 4 MB with 64 channels. */
const ROWS_AT_ONCE = 16_384;

/**
 * Runs a model of rows over the pixels of a block that all bands and dates have. Each pixel is a row of its channels.
 *
 * @throws {ModelOutputError} when the model's output is not what the manifest says
 */
export async function runRows(block: AnalysisBlock, infer: Infer, parameters: ModelParameters): Promise<BlockResult> {
  const { manifest } = parameters;
  const pixels = wholePixels(block);
  const size = block.rect.columns * block.rect.rows;
  const isValue = manifest.task === "regress";
  const classes = new Uint8Array(isValue ? 0 : size);
  const numbers = new Float32Array(isValue || manifest.output.format === "scores" ? size : 0).fill(Number.NaN);
  const background = modelBackground(manifest);
  for (let start = 0; start < pixels.length; start += ROWS_AT_ONCE) {
    const chosen = pixels.subarray(start, start + ROWS_AT_ONCE);
    const outputs = await infer({
      data: rowsOf(block, chosen, parameters),
      dims: [chosen.length, channelCount(manifest)],
    });
    if (isValue) {
      const values = decodeRowValues(outputs, manifest);
      checkRows(values.length, chosen.length);
      for (const [row, pixel] of chosen.entries()) numbers[pixel] = values[row]!;
      continue;
    }
    const decoded = decodeRowClasses(outputs, manifest);
    checkRows(decoded.classes.length, chosen.length);
    for (const [row, pixel] of chosen.entries()) {
      classes[pixel] = decoded.classes[row] === 0 ? background : decoded.classes[row]!;
      if (decoded.confidence !== null) numbers[pixel] = decoded.confidence[row]!;
    }
  }
  const layers = isValue ? [numbers] : numbers.length > 0 ? [classes, numbers] : [classes];
  return { layers, objects: [] };
}

function checkRows(got: number, given: number): void {
  if (got !== given) throw new ModelOutputError(`got ${got} rows, expected ${given} as the input has`);
}

/** Positions of the pixels of the block that every plane has. */
function wholePixels({ rect, scenes }: AnalysisBlock): Uint32Array {
  const planes = scenes.flat();
  const size = rect.columns * rect.rows;
  const found = new Uint32Array(size);
  let count = 0;
  for (let pixel = 0; pixel < size; pixel++) {
    if (planes.every((plane) => !Number.isNaN(plane[pixel]!))) found[count++] = pixel;
  }
  return found.subarray(0, count);
}

function rowsOf({ scenes }: AnalysisBlock, pixels: Uint32Array, parameters: ModelParameters): Float32Array {
  const { manifest, ranges } = parameters;
  const channels = channelCount(manifest);
  const planes = scenes.flat();
  const rows = new Float32Array(pixels.length * channels);
  for (let channel = 0; channel < channels; channel++) {
    const plane = planes[channel];
    if (plane === undefined) throw new RangeError(`a model of ${channels} channels was given ${channel}`);
    const scaling = channelScaling(manifest, ranges, channel);
    for (let row = 0; row < pixels.length; row++) {
      rows[row * channels + channel] = scaled(plane[pixels[row]!]!, scaling);
    }
  }
  return rows;
}
