import { CompressionType, FilterType, Transformer } from "@napi-rs/image";

/** An RGBA picture that tiles are placed into. */
export interface Canvas {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly pixels: Uint8Array;
}

export function createCanvas(widthPx: number, heightPx: number): Canvas {
  return { widthPx, heightPx, pixels: new Uint8Array(widthPx * heightPx * 4) };
}

/**
 * Decodes a PNG or WebP tile into the canvas; alpha is kept as it is.
 *
 * @throws {RangeError} if the tile does not fit at the place
 */
export async function placeTile(canvas: Canvas, encoded: Uint8Array, left: number, top: number): Promise<void> {
  const image = new Transformer(encoded);
  const { width, height, colorType } = await image.metadata();
  if (left < 0 || top < 0 || left + width > canvas.widthPx || top + height > canvas.heightPx) {
    throw new RangeError(
      `a tile of ${width}x${height} at ${left},${top} leaves the picture of ${canvas.widthPx}x${canvas.heightPx}`,
    );
  }
  const raw = await image.rawPixels();
  const channels = raw.length / (width * height);
  if (!Number.isInteger(channels) || channels < 1 || channels > 4) {
    throw new RangeError(`a tile has ${raw.length} bytes for ${width}x${height} pixels of colour type ${colorType}`);
  }
  for (let row = 0; row < height; row += 1) {
    const to = ((top + row) * canvas.widthPx + left) * 4;
    const from = row * width * channels;
    if (channels === 4) {
      canvas.pixels.set(raw.subarray(from, from + width * 4), to);
      continue;
    }
    for (let column = 0; column < width; column += 1) {
      const source = from + column * channels;
      const target = to + column * 4;
      const grey = channels < 3;
      for (let k = 0; k < 3; k += 1) canvas.pixels[target + k] = raw[source + (grey ? 0 : k)] ?? 0;
      canvas.pixels[target + 3] = channels === 2 ? (raw[source + 1] ?? 0) : 255;
    }
  }
}

/** The smallest part of the canvas that holds every pixel that is not fully transparent; null when there is none. */
export function cropTransparent(canvas: Canvas): Canvas | null {
  const { widthPx, heightPx, pixels } = canvas;
  let west = widthPx;
  let east = -1;
  let north = -1;
  let south = -1;
  for (let row = 0; row < heightPx; row += 1) {
    for (let column = 0; column < widthPx; column += 1) {
      if (pixels[(row * widthPx + column) * 4 + 3] === 0) continue;
      if (north < 0) north = row;
      south = row;
      if (column < west) west = column;
      if (column > east) east = column;
    }
  }
  if (north < 0) return null;
  const cropped = createCanvas(east - west + 1, south - north + 1);
  for (let row = 0; row < cropped.heightPx; row += 1) {
    const from = ((north + row) * widthPx + west) * 4;
    cropped.pixels.set(pixels.subarray(from, from + cropped.widthPx * 4), row * cropped.widthPx * 4);
  }
  return cropped;
}

export async function encodePng(canvas: Canvas): Promise<Uint8Array> {
  return await Transformer.fromRgbaPixels(canvas.pixels, canvas.widthPx, canvas.heightPx).png({
    compressionType: CompressionType.Default,
    filterType: FilterType.Paeth,
  });
}
