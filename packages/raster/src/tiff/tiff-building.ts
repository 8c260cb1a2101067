import { TAG } from "./tags.ts";

/** Tags of a file that a test builds byte by byte: numbers with a TIFF type, or ASCII text. */
export type BuiltTag =
  | { readonly type: "short" | "long" | "double" | "long8"; readonly values: readonly number[] }
  | { readonly type: "ascii"; readonly text: string }
  | { readonly type: "bytes"; readonly values: Uint8Array };

export interface BuiltDirectory {
  readonly tags: Readonly<Record<number, BuiltTag>>;
  /** Encoded strips or tiles; null leaves one out (offset and count 0). */
  readonly blocks: readonly (Uint8Array | null)[];
}

export interface BuildOptions {
  readonly bigEndian?: boolean;
  readonly bigTiff?: boolean;
  /** Overrides the "next directory" pointer of the last directory, for loops. */
  readonly lastNext?: number;
}

const TYPE = { short: [3, 2], long: [4, 4], double: [12, 8], long8: [16, 8], ascii: [2, 1], bytes: [7, 1] } as const;

/** A TIFF of the given directories; offsets and byte counts of the blocks are filled in. */
export function buildTiff(directories: readonly BuiltDirectory[], options: BuildOptions = {}): Uint8Array {
  const little = options.bigEndian !== true;
  const big = options.bigTiff === true;
  const bytes: number[] = [];
  const pointer = big ? 8 : 4;
  const put = (value: number, size: number, at = bytes.length) => {
    const view = new DataView(new ArrayBuffer(8));
    if (size === 8) view.setBigUint64(0, BigInt(value), little);
    else if (size === 4) view.setUint32(0, value, little);
    else view.setUint16(0, value, little);
    for (let i = 0; i < size; i++) bytes[at + i] = view.getUint8(i);
  };
  bytes.push(...(little ? [0x49, 0x49] : [0x4d, 0x4d]));
  put(big ? 43 : 42, 2);
  if (big) {
    put(8, 2);
    put(0, 2);
  }
  let link = bytes.length;
  put(0, pointer);
  for (const directory of directories) {
    const offsets = directory.blocks.map((block) => {
      if (block === null) return 0;
      const at = bytes.length;
      for (const byte of block) bytes.push(byte);
      return at;
    });
    const counts = directory.blocks.map((block) => block?.length ?? 0);
    const tiled = TAG.tileWidth in directory.tags;
    const kind = big ? "long8" : "long";
    const tags: Record<number, BuiltTag> = {
      [tiled ? TAG.tileOffsets : TAG.stripOffsets]: { type: kind, values: offsets },
      [tiled ? TAG.tileByteCounts : TAG.stripByteCounts]: { type: kind, values: counts },
      ...directory.tags,
    };
    const entries = Object.entries(tags).map(([tag, value]) => {
      const data = encode(value, little);
      const [type, size] = TYPE[value.type];
      let at = 0;
      if (data.length > pointer) {
        while (bytes.length % 8 !== 0) bytes.push(0);
        at = bytes.length;
        bytes.push(...data);
      }
      return { tag: Number(tag), type, count: data.length / size, data, at };
    });
    put(bytes.length, pointer, link);
    put(entries.length, big ? 8 : 2);
    for (const entry of entries.toSorted((a, b) => a.tag - b.tag)) {
      put(entry.tag, 2);
      put(entry.type, 2);
      put(entry.count, pointer);
      if (entry.data.length > pointer) put(entry.at, pointer);
      else for (let i = 0; i < pointer; i++) bytes.push(entry.data[i] ?? 0);
    }
    link = bytes.length;
    put(0, pointer);
  }
  if (options.lastNext !== undefined) put(options.lastNext, pointer, link);
  return Uint8Array.from(bytes);
}

function encode(tag: BuiltTag, little: boolean): Uint8Array {
  if (tag.type === "ascii") return new TextEncoder().encode(`${tag.text}\0`);
  if (tag.type === "bytes") return tag.values;
  const size = TYPE[tag.type][1];
  const view = new DataView(new ArrayBuffer(size * tag.values.length));
  for (const [i, value] of tag.values.entries()) {
    if (tag.type === "short") view.setUint16(i * 2, value, little);
    else if (tag.type === "long") view.setUint32(i * 4, value, little);
    else if (tag.type === "double") view.setFloat64(i * 8, value, little);
    else view.setBigUint64(i * 8, BigInt(value), little);
  }
  return new Uint8Array(view.buffer);
}

export const short = (...values: readonly number[]): BuiltTag => ({ type: "short", values });
export const long = (...values: readonly number[]): BuiltTag => ({ type: "long", values });
export const double = (...values: readonly number[]): BuiltTag => ({ type: "double", values });
export const ascii = (text: string): BuiltTag => ({ type: "ascii", text });

/** The tags every image needs, for one strip of bytes. */
export function imageTags(
  widthPx: number,
  heightPx: number,
  tags: Readonly<Record<number, BuiltTag>> = {},
): Record<number, BuiltTag> {
  return {
    [TAG.imageWidth]: long(widthPx),
    [TAG.imageLength]: long(heightPx),
    [TAG.bitsPerSample]: short(8),
    [TAG.compression]: short(1),
    [TAG.photometric]: short(1),
    [TAG.rowsPerStrip]: long(heightPx),
    ...tags,
  };
}

/** GeoTIFF keys with SHORT values. */
export function geoKeyTag(keys: Readonly<Record<number, number>>): BuiltTag {
  const entries = Object.entries(keys);
  return short(1, 1, 0, entries.length, ...entries.flatMap(([key, value]) => [Number(key), 0, 1, value]));
}
