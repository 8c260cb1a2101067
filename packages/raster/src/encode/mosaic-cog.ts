/** A block of a mosaic: its directories without the pixels, which stay where the caller keeps them. */
export interface MosaicBlock {
  /** Position of the first byte of the block among the bytes that the caller keeps. */
  readonly start: number;
  readonly directories: readonly Directory[];
}

/** One resolution of a mosaic: blocks row by row, null where there is no data. */
export interface MosaicLevel {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly blocks: readonly (MosaicBlock | null)[];
}

/** Position and size of the pixels of the full resolution, in units of the coordinate reference system. */
export interface MosaicOrigin {
  readonly originX: number;
  readonly originY: number;
  readonly pixelSizeX: number;
  /** Of rows that run southwards; positive. */
  readonly pixelSizeY: number;
}

/** The bytes of a mosaic: its header, then parts of the kept blocks, each followed by a zero where its length is odd. */
export interface MosaicFile {
  readonly sizeBytes: number;
  readonly header: Uint8Array;
  readonly parts: readonly { readonly start: number; readonly length: number }[];
}

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly payload: Uint8Array;
}

type Directory = ReadonlyMap<number, Entry>;

interface Plane {
  readonly level: MosaicLevel;
  /** Directory of each block that this plane's strips are in. */
  readonly directories: readonly (Directory | null)[];
  readonly strips: number;
  readonly isMask: boolean;
}

const LONG = 4;
const DOUBLE = 12;
const SIZES: Readonly<Record<number, number>> = { 2: 1, 3: 2, [LONG]: 4, [DOUBLE]: 8 };
const NEW_SUBFILE_TYPE = 254;
const [WIDTH, HEIGHT] = [256, 257];
const [STRIP_OFFSETS, STRIP_BYTES] = [273, 279];
const [TILE_WIDTH, TILE_HEIGHT, TILE_OFFSETS, TILE_BYTES] = [322, 323, 324, 325];
/** Tags of a block that hold for the mosaic: depth, compression, colours, samples, predictor, format, no data. */
const KEPT = [258, 259, 262, 277, 284, 317, 338, 339, 42_113];
/** Tags that only the full resolution has: coordinates and the names of bands. */
const KEPT_ONCE = [33_550, 33_922, 34_735, 34_736, 34_737, 42_112];
const HEADER_BYTES = 8;

/**
 * Reads the directories of a block.
 *
 * @param file a GeoTIFF of `blockPx` squared whose bands are one strip each
 * @param start position of its first byte among the bytes that the caller keeps
 */
export function readMosaicBlock(file: Uint8Array, start: number): MosaicBlock {
  return { start, directories: readDirectories(file) };
}

function readDirectories(file: Uint8Array): readonly Directory[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const directories: Directory[] = [];
  for (let at = view.getUint32(4, true); at !== 0;) {
    const count = view.getUint16(at, true);
    const entries = new Map<number, Entry>();
    for (let i = 0; i < count; i++) {
      const entry = at + 2 + i * 12;
      const type = view.getUint16(entry + 2, true);
      const values = view.getUint32(entry + 4, true);
      const bytes = values * (SIZES[type] ?? 1);
      const start = bytes <= 4 ? entry + 8 : view.getUint32(entry + 8, true);
      const tag = view.getUint16(entry, true);
      // A copy: the pixels of the block are not kept in memory.
      entries.set(tag, { tag, type, count: values, payload: file.slice(start, start + bytes) });
    }
    directories.push(entries);
    at = view.getUint32(at + 2 + count * 12, true);
  }
  return directories;
}

function numbers(entry: Entry | undefined): readonly number[] {
  if (entry === undefined) return [];
  const view = new DataView(entry.payload.buffer, entry.payload.byteOffset, entry.payload.byteLength);
  return Array.from({ length: entry.count }, (_, i) => view.getUint32(i * 4, true));
}

function longs(tag: number, values: readonly number[]): Entry {
  return { tag, type: LONG, count: values.length, payload: new Uint8Array(Uint32Array.from(values).buffer) };
}

function doubles(tag: number, values: readonly number[]): Entry {
  return { tag, type: DOUBLE, count: values.length, payload: new Uint8Array(Float64Array.from(values).buffer) };
}

/** Word-aligned bytes of a directory with the data of its entries. */
function directoryBytes(entries: readonly Entry[]): number {
  return (
    entries.reduce((sum, { payload }) => sum + (payload.length > 4 ? payload.length + (payload.length & 1) : 0), 6) +
    entries.length * 12
  );
}

function writeDirectory(out: Uint8Array, at: number, entries: readonly Entry[], next: number): void {
  const view = new DataView(out.buffer);
  view.setUint16(at, entries.length, true);
  let data = at + 6 + entries.length * 12;
  for (const [index, { tag, type, count, payload }] of entries.entries()) {
    const entry = at + 2 + index * 12;
    view.setUint16(entry, tag, true);
    view.setUint16(entry + 2, type, true);
    view.setUint32(entry + 4, count, true);
    if (payload.length <= 4) out.set(payload, entry + 8);
    else {
      view.setUint32(entry + 8, data, true);
      out.set(payload, data);
      data += payload.length + (payload.length & 1);
    }
  }
  view.setUint32(at + 2 + entries.length * 12, next, true);
}

interface Part {
  readonly start: number;
  readonly length: number;
}

/** Where the compressed tiles of a plane are, in their order: band by band, row by row. */
function tilesOf({ level, directories, strips }: Plane): readonly (Part | null)[] {
  const located = directories.map((directory) => ({
    offsets: numbers(directory?.get(STRIP_OFFSETS)),
    bytes: numbers(directory?.get(STRIP_BYTES)),
  }));
  return Array.from({ length: strips }, (_, strip) =>
    level.blocks.map((block, index) => {
      const offset = located[index]?.offsets[strip];
      const length = located[index]?.bytes[strip];
      return block === null || offset === undefined || length === undefined
        ? null
        : { start: block.start + offset, length };
    }),
  ).flat();
}

function planesOf(levels: readonly MosaicLevel[]): readonly Plane[] {
  return levels.flatMap((level) => {
    const read = level.blocks.map((block) => block?.directories ?? []);
    const hasMask = read.some((directories) => directories.length > 1);
    return (hasMask ? [0, 1] : [0]).map((position): Plane => {
      const directories = read.map((one) => one[position] ?? null);
      const strips = Math.max(1, ...directories.map((directory) => directory?.get(STRIP_OFFSETS)?.count ?? 0));
      return { level, directories, strips, isMask: position === 1 };
    });
  });
}

/**
 * Plans a cloud optimized GeoTIFF of blocks without decoding them: a compressed strip of a block becomes a tile of the
 * mosaic. Directories come first, then the smallest overview, the full resolution last.
 *
 * @param levels the full resolution first, each next half as large
 * @returns null when no block has data
 */
export function planMosaic(
  levels: readonly MosaicLevel[],
  blockPx: number,
  { originX, originY, pixelSizeX, pixelSizeY }: MosaicOrigin,
): MosaicFile | null {
  const planes = planesOf(levels);
  const templates = [false, true].map((isMask) =>
    planes
      .filter((plane) => plane.isMask === isMask)
      .flatMap(({ directories }) => directories)
      .find((directory) => directory !== null),
  );
  if (templates[0] == null) return null;
  const tiles = planes.map(tilesOf);

  const describe = (
    { level, isMask, strips }: Plane,
    offsets: readonly number[],
    bytes: readonly number[],
  ): Entry[] => {
    const template = templates[isMask ? 1 : 0];
    const isFull = level === levels[0];
    const kept = [...KEPT, ...(isFull && !isMask ? KEPT_ONCE : [])].flatMap((tag) => template?.get(tag) ?? []);
    const own = [
      longs(NEW_SUBFILE_TYPE, [(isFull ? 0 : 1) + (isMask ? 4 : 0)]),
      longs(WIDTH, [level.widthPx]),
      longs(HEIGHT, [level.heightPx]),
      longs(TILE_WIDTH, [blockPx]),
      longs(TILE_HEIGHT, [blockPx]),
      longs(TILE_OFFSETS, offsets),
      longs(TILE_BYTES, bytes),
    ];
    if (isFull && !isMask) {
      own.push(doubles(33_550, [pixelSizeX, pixelSizeY, 0]), doubles(33_922, [0, 0, 0, originX, originY, 0]));
    }
    if (bytes.length % strips !== 0) throw new RangeError(`${bytes.length} tiles of ${strips} planes`);
    const replaced = new Set(own.map(({ tag }) => tag));
    return [...own, ...kept.filter(({ tag }) => !replaced.has(tag))].toSorted((a, b) => a.tag - b.tag);
  };

  const lengths = tiles.map((list) => list.map((tile) => tile?.length ?? 0));
  const sizes = planes.map((plane, i) => directoryBytes(describe(plane, lengths[i]!, lengths[i]!)));
  const headerBytes = HEADER_BYTES + sizes.reduce((sum, size) => sum + size, 0);
  let end = headerBytes;
  const offsets = planes.map((): number[] => []);
  const parts: Part[] = [];
  for (let i = planes.length - 1; i >= 0; i--) {
    for (const tile of tiles[i]!) {
      offsets[i]!.push(tile === null ? 0 : end);
      if (tile === null) continue;
      parts.push(tile);
      end += tile.length + (tile.length & 1);
    }
  }
  const header = new Uint8Array(headerBytes);
  header.set([0x49, 0x49, 42, 0, HEADER_BYTES]);
  let at = HEADER_BYTES;
  for (const [i, plane] of planes.entries()) {
    const next = i + 1 < planes.length ? at + sizes[i]! : 0;
    writeDirectory(header, at, describe(plane, offsets[i]!, lengths[i]!), next);
    at += sizes[i]!;
  }
  return { sizeBytes: end, header, parts };
}
