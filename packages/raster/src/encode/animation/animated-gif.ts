import type { AnimationFormat } from "./animation-format.ts";

const SCREEN_BYTES = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const IMAGE_BYTES = 10;
/** Frames stay until the next one, which covers them. */
const KEEP = 1 << 2;
const CENTISECOND_MS = 10;
const LOOPS = Buffer.from("21ff0b4e45545343415045322e300301000000", "hex");

/** Animated GIF: each frame with the colours of its picture (GIF89a, with the loop extension of Netscape). */
export const animatedGif: AnimationFormat = {
  mediaType: "image/gif",

  frame({ picture, durationMs }) {
    const { palette, image, pixels } = partsOf(picture);
    const control = Buffer.from([EXTENSION, 0xf9, 4, KEEP, 0, 0, 0, 0]);
    control.writeUInt16LE(Math.round(durationMs / CENTISECOND_MS), 4);
    return Buffer.concat([control, image, palette, pixels]);
  },

  start({ widthPx, heightPx }) {
    const screen = Buffer.alloc(SCREEN_BYTES);
    screen.write("GIF89a", "latin1");
    screen.writeUInt16LE(widthPx, 6);
    screen.writeUInt16LE(heightPx, 8);
    return Buffer.concat([screen, LOOPS]);
  },

  end: Uint8Array.of(TRAILER),
};

interface GifParts {
  /** Colour table of the frame. */
  readonly palette: Uint8Array;
  /** Image descriptor that names the table. */
  readonly image: Uint8Array;
  /** Compressed pixels. */
  readonly pixels: Uint8Array;
}

/** The first picture of a GIF, with a colour table of its file or its frame. */
function partsOf(gif: Uint8Array): GifParts {
  if (Buffer.from(gif.subarray(0, 3)).toString("latin1") !== "GIF") throw new RangeError("a frame must be a GIF");
  let at = SCREEN_BYTES + tableBytes(gif[10] ?? 0);
  while (gif[at] === EXTENSION) at = endOfBlocks(gif, at + 2);
  if (gif[at] !== IMAGE) throw new RangeError("a frame must be a GIF with a picture, got one without");
  const image = gif.slice(at, at + IMAGE_BYTES);
  const flags = image[9]!;
  const ownBytes = tableBytes(flags);
  const shared = gif.subarray(SCREEN_BYTES, SCREEN_BYTES + tableBytes(gif[10]!));
  const palette = ownBytes > 0 ? gif.subarray(at + IMAGE_BYTES, at + IMAGE_BYTES + ownBytes) : shared;
  // Interlacing stays; the size is the one of the table.
  image[9] = (flags & 0x40) | 0x80 | (Math.log2(palette.byteLength / 3) - 1);
  const start = at + IMAGE_BYTES + ownBytes;
  return { palette, image, pixels: gif.subarray(start, endOfBlocks(gif, start + 1)) };
}

/** Bytes of the colour table that flags announce. */
function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

/** The position behind a chain of data blocks. */
function endOfBlocks(gif: Uint8Array, start: number): number {
  let at = start;
  for (let length = gif[at]; length !== undefined; length = gif[at]) {
    at += length + 1;
    if (length === 0) return at;
  }
  throw new RangeError("a frame must be a whole GIF, got one that ends early");
}
