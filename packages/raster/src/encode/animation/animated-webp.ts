import type { AnimationFormat, AnimationSize } from "./animation-format.ts";

/** Chunks with the pixels of a picture. */
const PIXEL_CHUNKS: readonly string[] = ["ALPH", "VP8 ", "VP8L"];
const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const FRAME_HEADER_BYTES = 16;
const ANIMATION_FLAG = 0x02;
/** A frame replaces the pixels before it. */
const DO_NOT_BLEND = 0x02;

/** Animated WebP: RIFF with a chunk `ANMF` for each frame (WebP Container Specification, "Animation"). */
export const animatedWebp: AnimationFormat = {
  mediaType: "image/webp",

  frame({ picture, durationMs }, size) {
    const chunks = pixelChunks(picture);
    const payload = new Uint8Array(FRAME_HEADER_BYTES + chunks.byteLength);
    writeSize(payload, 6, size);
    write24(payload, 12, durationMs);
    payload[15] = DO_NOT_BLEND;
    payload.set(chunks, FRAME_HEADER_BYTES);
    return chunk("ANMF", payload);
  },

  start(size, framesBytes) {
    const extended = new Uint8Array(10);
    extended[0] = ANIMATION_FLAG;
    writeSize(extended, 4, size);
    // Four bytes of background and a loop count of 0: without end.
    const parts = [chunk("VP8X", extended), chunk("ANIM", new Uint8Array(6))];
    const bodyBytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
    const header = new Uint8Array(HEADER_BYTES + bodyBytes);
    writeName(header, 0, "RIFF");
    new DataView(header.buffer).setUint32(4, 4 + bodyBytes + framesBytes, true);
    writeName(header, 8, "WEBP");
    let at = HEADER_BYTES;
    for (const part of parts) {
      header.set(part, at);
      at += part.byteLength;
    }
    return header;
  },

  end: new Uint8Array(0),
};

/** The chunks of a still picture that hold its pixels. */
function pixelChunks(picture: Uint8Array): Uint8Array {
  if (nameAt(picture, 0) !== "RIFF" || nameAt(picture, 8) !== "WEBP") {
    throw new RangeError(`a frame must be a WebP, got bytes that begin with "${nameAt(picture, 0)}"`);
  }
  const view = new DataView(picture.buffer, picture.byteOffset, picture.byteLength);
  const found: Uint8Array[] = [];
  for (let at = HEADER_BYTES; at + CHUNK_HEADER_BYTES <= picture.byteLength;) {
    const bytes = CHUNK_HEADER_BYTES + evenBytes(view.getUint32(at + 4, true));
    if (PIXEL_CHUNKS.includes(nameAt(picture, at))) found.push(picture.subarray(at, at + bytes));
    at += bytes;
  }
  if (found.length === 0) throw new RangeError("a frame must be a WebP with pixels, got one without");
  return Buffer.concat(found);
}

function chunk(name: string, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(CHUNK_HEADER_BYTES + evenBytes(payload.byteLength));
  writeName(bytes, 0, name);
  new DataView(bytes.buffer).setUint32(4, payload.byteLength, true);
  bytes.set(payload, CHUNK_HEADER_BYTES);
  return bytes;
}

function evenBytes(bytes: number): number {
  return bytes + (bytes & 1);
}

function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function writeName(bytes: Uint8Array, at: number, name: string): void {
  for (let i = 0; i < 4; i++) bytes[at + i] = name.charCodeAt(i);
}

/** Sides are stored less one. */
function writeSize(bytes: Uint8Array, at: number, { widthPx, heightPx }: AnimationSize): void {
  write24(bytes, at, widthPx - 1);
  write24(bytes, at + 3, heightPx - 1);
}

function write24(bytes: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < 3; i++) bytes[at + i] = (value >>> (8 * i)) & 0xff;
}
