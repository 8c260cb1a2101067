import * as Lerc from "lerc";
import { decodeDeflate, decodeZstd } from "./inflate.ts";

let loading: Promise<void> | null = null;

export interface LercBlock {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly samples: number;
  readonly bytesPerSample: number;
}

/**
 * LERC (Esri), optionally wrapped in DEFLATE or Zstandard as the LercParameters tag says.
 *
 * @param wrapping 0 none, 1 DEFLATE, 2 Zstandard
 * @returns native-endian samples, interleaved; invalid floats are NaN; null when sizes or types differ from the directory's
 */
export async function decodeLerc(input: Uint8Array, wrapping: number, block: LercBlock): Promise<Uint8Array | null> {
  loading ??= Lerc.load();
  await loading;
  // A LERC blob of noise is larger than its pixels by headers of the micro blocks: a quarter covers it.
  const limit = Math.ceil(block.widthPx * block.heightPx * block.samples * block.bytesPerSample * 1.25) + 4096;
  const blob =
    wrapping === 1
      ? (await decodeDeflate(input, limit)).bytes
      : wrapping === 2
        ? (await decodeZstd(input, limit)).bytes
        : input;
  const bytes = blob.slice();
  const info = Lerc.getBlobInfo(bytes);
  const depth = info.depthCount * info.bandCount;
  const alphaAsMask = depth === block.samples - 1;
  if (info.width !== block.widthPx || info.height !== block.heightPx || (depth !== block.samples && !alphaAsMask))
    return null;
  const decoded = Lerc.decode(bytes, { returnInterleaved: true });
  return interleave(decoded, block, info.depthCount, alphaAsMask);
}

function interleave(
  decoded: Lerc.LercData,
  block: LercBlock,
  depthCount: number,
  alphaAsMask: boolean,
): Uint8Array | null {
  const [first] = decoded.pixels;
  if (first === undefined || first.BYTES_PER_ELEMENT !== block.bytesPerSample) return null;
  const count = block.widthPx * block.heightPx;
  const { mask } = decoded;
  if (mask !== null && (first instanceof Float32Array || first instanceof Float64Array)) {
    for (let i = 0; i < count; i++) if (mask[i] === 0) first.fill(Number.NaN, i * depthCount, (i + 1) * depthCount);
  }
  if (!alphaAsMask && decoded.pixels.length === 1) {
    return first.length === count * block.samples
      ? new Uint8Array(first.buffer, first.byteOffset, first.byteLength)
      : null;
  }
  if (block.bytesPerSample !== 1 || decoded.pixels.length !== 1) return null;
  const output = new Uint8Array(count * block.samples);
  for (let i = 0; i < count; i++) {
    for (let s = 0; s < depthCount; s++) output[i * block.samples + s] = first[i * depthCount + s]!;
    output[i * block.samples + depthCount] = mask === null || mask[i] !== 0 ? 255 : 0;
  }
  return output;
}
