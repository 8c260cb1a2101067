import { escapeMarkup } from "@swath/kernel/text/escape-markup";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { SourceCrs } from "../source-raster.ts";
import { BLOCK_PX, predictorOf } from "./block-encoder.ts";
import type { BlockSpool, SpooledBlock } from "./block-spool.ts";
import { geoKeyTags } from "./geo-keys.ts";
import { BYTES_PER_PIXEL, SAMPLE_FORMAT } from "./pixel-type.ts";
import {
  directoryBytes,
  encodeDirectory,
  TIFF_ASCII,
  TIFF_DOUBLE,
  TIFF_LONG,
  TIFF_LONG8,
  TIFF_SHORT,
} from "./tiff-tags.ts";
import type { TiffTag } from "./tiff-tags.ts";

/** Layout guarantees for GDAL 3.1 and later (GDAL documentation, "Cloud Optimized GeoTIFF"). */
const STRUCTURE =
  "LAYOUT=IFDS_BEFORE_DATA\nBLOCK_ORDER=ROW_MAJOR\nBLOCK_LEADER=SIZE_AS_UINT4\nBLOCK_TRAILER=LAST_4_BYTES_REPEATED\nKNOWN_INCOMPATIBLE_EDITION=NO\n ";

const GHOST_HEADER = `GDAL_STRUCTURAL_METADATA_SIZE=${String(STRUCTURE.length).padStart(6, "0")} bytes\n${STRUCTURE}`;

/** Offsets beyond this need BigTIFF. */
const CLASSIC_LIMIT_BYTES = 2 ** 32 - 1;

const COPY_BYTES = 4 * 1024 * 1024;
const COMPRESSION_ZSTD = 50_000;

export interface CogDescription {
  readonly dataType: DataType;
  readonly levels: readonly (readonly [width: number, height: number])[];
  readonly transform: Affine;
  readonly crs: SourceCrs;
  readonly nodata: number | null;
  readonly description: string | null;
  /** physical = scale * pixel + offset; left out when 1 and 0. */
  readonly scale: number;
  readonly offset: number;
  readonly palette: readonly (readonly [number, number, number])[] | null;
  /** Write BigTIFF even when the file is small. */
  readonly forceBigTiff: boolean;
}

/**
 * Writes a finished spool as a cloud optimized GeoTIFF: directories first, then the blocks of the smallest overview,
 * the next larger one, and the full resolution last.
 *
 * @returns size of the file in bytes
 */
export async function writeCogFile(path: string, cog: CogDescription, spool: BlockSpool): Promise<number> {
  const dataBytes = spool.blocks.flat().reduce((sum, block) => sum + block.length + 8, 0);
  const classicHeader = headerBytes(cog, spool.blocks, false);
  const bigTiff = cog.forceBigTiff || classicHeader + dataBytes > CLASSIC_LIMIT_BYTES;
  const head = bigTiff ? headerBytes(cog, spool.blocks, true) : classicHeader;

  const offsets = spool.blocks.map((): number[] => []);
  let at = head;
  for (let level = spool.blocks.length - 1; level >= 0; level--) {
    for (const block of spool.blocks[level] ?? []) {
      offsets[level]?.push(at + 4);
      at += block.length + 8;
    }
  }

  const file = await open(path, "wx");
  try {
    await file.write(encodeHeader(cog, spool.blocks, offsets, bigTiff), 0, head, 0);
    let position = head;
    for (const blocks of spool.blocks.toReversed()) {
      position = await copyBlocks(spool, blocks, file, position);
    }
    return position;
  } finally {
    await file.close();
  }
}

/** Copies blocks that follow each other in the spool in one go. */
async function copyBlocks(
  spool: BlockSpool,
  blocks: readonly SpooledBlock[],
  file: FileHandle,
  start: number,
): Promise<number> {
  let position = start;
  let buffer = new Uint8Array(0);
  for (let first = 0; first < blocks.length;) {
    const from = (blocks[first]?.offset ?? 0) - 4;
    let end = from;
    let next = first;
    for (; next < blocks.length; next++) {
      const block = blocks[next];
      if (block === undefined || block.offset - 4 !== end) break;
      if (next > first && end - from + block.length + 8 > COPY_BYTES) break;
      end += block.length + 8;
    }
    const length = end - from;
    if (buffer.length < length) buffer = new Uint8Array(Math.max(length, COPY_BYTES));
    const part = buffer.subarray(0, length);
    await spool.read(part, from);
    await writeAll(file, part, position);
    position += length;
    first = next;
  }
  return position;
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Position of the first directory, padded to a word boundary. */
function firstDirectoryAt(bigTiff: boolean): number {
  return Math.ceil(((bigTiff ? 16 : 8) + GHOST_HEADER.length) / 8) * 8;
}

function headerBytes(cog: CogDescription, blocks: readonly (readonly SpooledBlock[])[], bigTiff: boolean): number {
  let at = firstDirectoryAt(bigTiff);
  cog.levels.forEach((_, level) => {
    const lengths = (blocks[level] ?? []).map((block) => block.length);
    at += directoryBytes(levelTags(cog, level, lengths, lengths, bigTiff), { bigTiff });
  });
  return at;
}

function encodeHeader(
  cog: CogDescription,
  blocks: readonly (readonly SpooledBlock[])[],
  offsets: readonly (readonly number[])[],
  bigTiff: boolean,
): Uint8Array {
  const out = new Uint8Array(headerBytes(cog, blocks, bigTiff));
  const view = new DataView(out.buffer);
  let at = firstDirectoryAt(bigTiff);
  view.setUint16(0, 0x4949, true);
  if (bigTiff) {
    view.setUint16(2, 43, true);
    view.setUint16(4, 8, true);
    view.setBigUint64(8, BigInt(at), true);
  } else {
    view.setUint16(2, 42, true);
    view.setUint32(4, at, true);
  }
  out.set(new TextEncoder().encode(GHOST_HEADER), bigTiff ? 16 : 8);
  cog.levels.forEach((_, level) => {
    const lengths = (blocks[level] ?? []).map((block) => block.length);
    const tags = levelTags(cog, level, offsets[level] ?? [], lengths, bigTiff);
    const size = directoryBytes(tags, { bigTiff });
    const next = level + 1 < cog.levels.length ? at + size : 0;
    out.set(encodeDirectory(tags, at, next, { bigTiff }), at);
    at += size;
  });
  return out;
}

function levelTags(
  cog: CogDescription,
  level: number,
  offsets: readonly number[],
  lengths: readonly number[],
  bigTiff: boolean,
): readonly TiffTag[] {
  const [width, height] = cog.levels[level] ?? [0, 0];
  const palette = cog.palette !== null && cog.dataType === "uint8" ? cog.palette : null;
  const tags: TiffTag[] = [
    { tag: 256, type: TIFF_LONG, value: [width] },
    { tag: 257, type: TIFF_LONG, value: [height] },
    { tag: 258, type: TIFF_SHORT, value: [BYTES_PER_PIXEL[cog.dataType] * 8] },
    { tag: 259, type: TIFF_SHORT, value: [COMPRESSION_ZSTD] },
    // 1: black is zero; 3: palette.
    { tag: 262, type: TIFF_SHORT, value: [palette === null ? 1 : 3] },
    { tag: 277, type: TIFF_SHORT, value: [1] },
    { tag: 284, type: TIFF_SHORT, value: [1] },
    { tag: 317, type: TIFF_SHORT, value: [predictorOf(cog.dataType)] },
    { tag: 322, type: TIFF_SHORT, value: [BLOCK_PX] },
    { tag: 323, type: TIFF_SHORT, value: [BLOCK_PX] },
    { tag: 324, type: bigTiff ? TIFF_LONG8 : TIFF_LONG, value: offsets },
    { tag: 325, type: TIFF_LONG, value: lengths },
    { tag: 339, type: TIFF_SHORT, value: [SAMPLE_FORMAT[cog.dataType]] },
  ];
  if (palette !== null) tags.push({ tag: 320, type: TIFF_SHORT, value: colorMap(palette) });
  if (cog.nodata !== null) tags.push({ tag: 42_113, type: TIFF_ASCII, value: nodataText(cog.nodata) });
  if (level > 0) tags.push({ tag: 254, type: TIFF_LONG, value: [1] });
  else {
    const [a, , c, , e, f] = cog.transform;
    tags.push(
      { tag: 33_550, type: TIFF_DOUBLE, value: [a, -e, 0] },
      { tag: 33_922, type: TIFF_DOUBLE, value: [0, 0, 0, c, f, 0] },
      ...geoKeyTags(cog.crs),
    );
    const metadata = metadataXml(cog);
    if (metadata !== null) tags.push({ tag: 42_112, type: TIFF_ASCII, value: metadata });
  }
  return tags;
}

/** All reds, then all greens, then all blues, 16 bits each, 256 entries. */
function colorMap(palette: readonly (readonly [number, number, number])[]): readonly number[] {
  return [0, 1, 2].flatMap((channel) =>
    Array.from({ length: 256 }, (_, index) => (palette[index]?.[channel] ?? 0) * 257),
  );
}

function nodataText(nodata: number): string {
  return Number.isNaN(nodata) ? "nan" : String(nodata);
}

function metadataXml(cog: CogDescription): string | null {
  const items: string[] = [];
  const item = (name: string, role: string, text: string): void => {
    items.push(`  <Item name="${name}" sample="0" role="${role}">${escapeText(text)}</Item>`);
  };
  if (cog.description !== null) item("DESCRIPTION", "description", cog.description);
  if (cog.offset !== 0 || cog.scale !== 1) {
    item("OFFSET", "offset", String(cog.offset));
    item("SCALE", "scale", String(cog.scale));
  }
  return items.length === 0 ? null : `<GDALMetadata>\n${items.join("\n")}\n</GDALMetadata>\n`;
}

/** Escaped twice, as GDAL writes and expects it. */
function escapeText(text: string): string {
  return escapeMarkup(escapeMarkup(text.replaceAll("\0", "")));
}
