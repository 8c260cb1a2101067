import { open } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { Compression, Tiff, TiffTag, type TiffImage } from "@cogeotiff/core";
import { getDecoder } from "geotiff";
import sharp from "sharp";
import type { RasterReader, ReadWindow } from "./raster-reader.ts";

const inflateAsync = promisify(inflate);

type Pixels = Uint8Array | Uint16Array | Float32Array;

/** The tags that decoding needs. */
interface Format {
  readonly samples: number;
  readonly bits: number;
  readonly predictor: number;
  readonly tilePx: number;
}

/**
 * `@cogeotiff/core` finds and fetches tiles and leaves decoding to its user: here the fastest decoders of Node, which
 * are node:zlib and sharp, and geotiff.js for LZW. All tiles of a window are read at the same time.
 */
export async function cogeotiff(path: string): Promise<RasterReader> {
  const file = await open(path, "r");
  const fetch = async (offset: number, length = 0): Promise<ArrayBuffer> => {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await file.read(bytes, 0, length, offset);
    return bytes.buffer.slice(0, bytesRead);
  };
  const tiff = await Tiff.create({ url: pathToFileURL(path), fetch });
  const [image] = tiff.images;
  if (image === undefined) throw new Error(`${path} has no image`);
  const format: Format = {
    samples: (await image.fetch(TiffTag.SamplesPerPixel)) ?? 1,
    bits: (await image.fetch(TiffTag.BitsPerSample))?.[0] ?? 8,
    predictor: (await image.fetch(TiffTag.Predictor)) ?? 1,
    tilePx: image.tileSize.width,
  };
  return { read: (window) => read(image, format, window), close: () => file.close() };
}

async function read(image: TiffImage, format: Format, window: ReadWindow): Promise<readonly Pixels[]> {
  const { tilePx, samples, bits } = format;
  const planes = Array.from({ length: samples }, () => newPixels(bits, window.widthPx * window.heightPx));
  const tiles: Promise<void>[] = [];
  const right = Math.ceil((window.column + window.widthPx) / tilePx);
  const bottom = Math.ceil((window.row + window.heightPx) / tilePx);
  for (let y = Math.floor(window.row / tilePx); y < bottom; y++) {
    for (let x = Math.floor(window.column / tilePx); x < right; x++) {
      tiles.push(readTile(image, format, x, y, window, planes));
    }
  }
  await Promise.all(tiles);
  return planes;
}

async function readTile(
  image: TiffImage,
  format: Format,
  x: number,
  y: number,
  window: ReadWindow,
  planes: readonly Pixels[],
): Promise<void> {
  place(await decodeTile(image, format, x, y), format, x, y, window, planes);
}

function newPixels(bits: number, count: number): Pixels {
  return bits === 8 ? new Uint8Array(count) : bits === 16 ? new Uint16Array(count) : new Float32Array(count);
}

async function decodeTile(image: TiffImage, format: Format, x: number, y: number): Promise<Pixels> {
  const tile = await image.getTile(x, y);
  if (tile === null) throw new Error(`tile ${x}, ${y} is not in the file`);
  const bytes = await decompress(new Uint8Array(tile.bytes), tile.compression, format);
  if (format.predictor === 3) return undoFloat(bytes, format);
  const pixels =
    format.bits === 8 ? bytes : new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / (format.bits / 8));
  if (format.predictor === 2) undoHorizontal(pixels, format);
  return pixels;
}

async function decompress(bytes: Uint8Array, compression: Compression, format: Format): Promise<Uint8Array> {
  const { tilePx, samples, bits } = format;
  const length = (tilePx * tilePx * samples * bits) / 8;
  if (compression === Compression.Deflate) return await inflateAsync(bytes, { chunkSize: length + 64 });
  if (compression === Compression.Jpeg) return await sharp(bytes).toColourspace("b-w").raw().toBuffer();
  if (compression !== Compression.Lzw) throw new Error(`compression ${compression} is not in this bench`);
  const decoder = await getDecoder(Compression.Lzw, {
    tileWidth: tilePx,
    tileHeight: tilePx,
    predictor: 1,
    bitsPerSample: bits,
    planarConfiguration: 1,
  });
  return new Uint8Array(await decoder.decode(bytes.slice().buffer));
}

function undoHorizontal(pixels: Pixels, { tilePx, samples }: Format): void {
  const rowLength = tilePx * samples;
  for (let start = 0; start < pixels.length; start += rowLength) {
    for (let i = start + samples; i < start + rowLength; i++) pixels[i] = pixels[i]! + pixels[i - samples]!;
  }
}

/** One sample a pixel: differences of bytes, then four planes of bytes, the highest first. */
function undoFloat(bytes: Uint8Array, { tilePx }: Format): Float32Array {
  const result = new Uint8Array(bytes.length);
  for (let start = 0; start < bytes.length; start += tilePx * 4) {
    for (let i = start + 1; i < start + tilePx * 4; i++) bytes[i] = bytes[i]! + bytes[i - 1]!;
    for (let i = 0; i < tilePx; i++) {
      const to = start + i * 4;
      result[to + 3] = bytes[start + i]!;
      result[to + 2] = bytes[start + tilePx + i]!;
      result[to + 1] = bytes[start + 2 * tilePx + i]!;
      result[to] = bytes[start + 3 * tilePx + i]!;
    }
  }
  return new Float32Array(result.buffer);
}

function place(
  pixels: Pixels,
  { tilePx, samples }: Format,
  x: number,
  y: number,
  window: ReadWindow,
  planes: readonly Pixels[],
): void {
  const left = Math.max(window.column, x * tilePx);
  const right = Math.min(window.column + window.widthPx, (x + 1) * tilePx);
  const top = Math.max(window.row, y * tilePx);
  const bottom = Math.min(window.row + window.heightPx, (y + 1) * tilePx);
  for (const [band, plane] of planes.entries()) {
    for (let row = top; row < bottom; row++) {
      let from = ((row - y * tilePx) * tilePx + left - x * tilePx) * samples + band;
      const start = (row - window.row) * window.widthPx + left - window.column;
      for (let to = start; to < start + right - left; to++) {
        plane[to] = pixels[from]!;
        from += samples;
      }
    }
  }
}
