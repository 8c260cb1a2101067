import { promisify } from "node:util";
import { gzip as gzipWith } from "node:zlib";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { Tile } from "@swath/kernel/tiles/tile";

/** A tile whose bytes the caller keeps; equal tiles may share them. */
export interface KeptTile {
  readonly tile: Tile;
  readonly start: number;
  readonly length: number;
}

export interface PmtilesDescription {
  readonly tileType: "png" | "webp";
  readonly bounds: Bounds;
  /** Name, attribution and further members of the metadata. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The bytes of an archive: its header, then parts of the kept tiles. */
export interface PmtilesFile {
  readonly sizeBytes: number;
  readonly header: Uint8Array;
  readonly parts: readonly { readonly start: number; readonly length: number }[];
}

/** An entry of a directory: a run of equal tiles, or with `runLength` 0 a leaf directory. */
interface Entry {
  readonly tileId: number;
  readonly offset: number;
  readonly length: number;
  readonly runLength: number;
}

const HEADER_BYTES = 127;
/** Readers fetch this many bytes first: header and root directory. */
const FIRST_BYTES = 16_384;
const TILE_TYPES: Readonly<Record<PmtilesDescription["tileType"], number>> = { png: 2, webp: 4 };
const [NO_COMPRESSION, GZIP] = [1, 2];
const LEAF_ENTRIES = 4096;
const gzip = promisify(gzipWith);

/**
 * Place of a tile on the Hilbert curve that goes through the zooms from 0 on.
 *
 * @see https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
 */
export function tileIdOf([z, column, row]: Tile): number {
  let id = (4 ** z - 1) / 3;
  let [x, y] = [column, row];
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const right = x >= side;
    const lower = y >= side;
    id += side * side * (right ? (lower ? 2 : 3) : lower ? 1 : 0);
    [x, y] = [right ? x - side : x, lower ? y - side : y];
    if (!lower) [x, y] = right ? [side - 1 - y, side - 1 - x] : [y, x];
  }
  return id;
}

/**
 * Plans a clustered PMTiles archive, version 3, whose equal tiles are stored once.
 *
 * @param tiles at least one, in any order, each once
 */
export async function planPmtiles(tiles: readonly KeptTile[], description: PmtilesDescription): Promise<PmtilesFile> {
  const { entries, parts, dataBytes } = placed(tiles);
  const metadata = await gzip(JSON.stringify(description.metadata));
  const { root, leaves } = await directories(entries);
  const metadataStart = HEADER_BYTES + root.length;
  const leavesStart = metadataStart + metadata.length;
  const dataStart = leavesStart + leaves.length;
  const zooms = tiles.map(({ tile }) => tile[0]);
  const header = new Uint8Array(dataStart);
  const view = new DataView(header.buffer);
  header.set(new TextEncoder().encode("PMTiles"));
  header[7] = 3;
  const places = [
    [HEADER_BYTES, root.length],
    [metadataStart, metadata.length],
    [leavesStart, leaves.length],
    [dataStart, dataBytes],
    [tiles.length, entries.length],
    [parts.length],
  ].flat();
  for (const [index, value] of places.entries()) view.setBigUint64(8 + 8 * index, BigInt(value), true);
  const [minZoom, maxZoom] = [Math.min(...zooms), Math.max(...zooms)];
  header.set([1, GZIP, NO_COMPRESSION, TILE_TYPES[description.tileType], minZoom, maxZoom], 96);
  const [west, south, east, north] = description.bounds;
  const degrees = [west, south, east, north, (west + east) / 2, (south + north) / 2];
  for (const [index, value] of degrees.entries()) {
    view.setInt32(index < 4 ? 102 + 4 * index : 119 + 4 * (index - 4), Math.round(value * 1e7), true);
  }
  header[118] = minZoom;
  header.set(root, HEADER_BYTES);
  header.set(metadata, metadataStart);
  header.set(leaves, leavesStart);
  return { sizeBytes: dataStart + dataBytes, header, parts };
}

/** Tiles along the curve; the first of equal ones decides the place of their bytes. */
function placed(tiles: readonly KeptTile[]): {
  readonly entries: readonly Entry[];
  readonly parts: PmtilesFile["parts"];
  readonly dataBytes: number;
} {
  const entries: Entry[] = [];
  const parts: { readonly start: number; readonly length: number }[] = [];
  const offsets = new Map<number, number>();
  let dataBytes = 0;
  const sorted = tiles
    .map((kept) => ({ ...kept, tileId: tileIdOf(kept.tile) }))
    .toSorted((a, b) => a.tileId - b.tileId);
  for (const { tileId, start, length } of sorted) {
    let offset = offsets.get(start);
    if (offset === undefined) {
      offset = dataBytes;
      offsets.set(start, offset);
      parts.push({ start, length });
      dataBytes += length;
    }
    const last = entries.at(-1);
    if (last?.offset === offset && last.tileId + last.runLength === tileId) {
      entries[entries.length - 1] = { ...last, runLength: last.runLength + 1 };
    } else {
      entries.push({ tileId, offset, length, runLength: 1 });
    }
  }
  return { entries, parts, dataBytes };
}

/** One directory where it fits into the first bytes, otherwise a root of leaves. */
async function directories(
  entries: readonly Entry[],
): Promise<{ readonly root: Uint8Array; readonly leaves: Uint8Array }> {
  const whole = await directoryOf(entries);
  if (HEADER_BYTES + whole.length <= FIRST_BYTES) return { root: whole, leaves: new Uint8Array() };
  for (let size = LEAF_ENTRIES; ; size *= 2) {
    const leaves: Uint8Array[] = [];
    const root: Entry[] = [];
    let offset = 0;
    for (let from = 0; from < entries.length; from += size) {
      const leaf = await directoryOf(entries.slice(from, from + size));
      root.push({ tileId: entries[from]!.tileId, offset, length: leaf.length, runLength: 0 });
      leaves.push(leaf);
      offset += leaf.length;
    }
    const packed = await directoryOf(root);
    if (HEADER_BYTES + packed.length <= FIRST_BYTES) return { root: packed, leaves: Buffer.concat(leaves) };
  }
}

async function directoryOf(entries: readonly Entry[]): Promise<Uint8Array> {
  const offsets = entries.map(({ offset }, index) => {
    const before = entries[index - 1];
    return before !== undefined && offset === before.offset + before.length ? 0 : offset + 1;
  });
  const numbers = [
    entries.length,
    ...entries.map(({ tileId }, index) => tileId - (entries[index - 1]?.tileId ?? 0)),
    ...entries.map(({ runLength }) => runLength),
    ...entries.map(({ length }) => length),
    ...offsets,
  ];
  return await gzip(Uint8Array.from(numbers.flatMap(varint)));
}

/** Seven bits a byte, the lowest first. */
function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
