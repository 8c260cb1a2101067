import { open } from "node:fs/promises";

const BANDS = 4;
const PIXEL_BYTES = BANDS * 2;
const WIDTH_PX = 4_096;
const ROWS_PER_STRIP = 16;
const STRIP_BYTES = WIDTH_PX * ROWS_PER_STRIP * PIXEL_BYTES;
const METADATA = `<GDALMetadata>${["Blue", "Green", "Red", "NIR"]
  .map((name, band) => `<Item name="DESCRIPTION" sample="${band}" role="description">${name}</Item>`)
  .join("")}</GDALMetadata>\0`;

type Entry = readonly [tag: number, type: 2 | 3 | 4 | 12, values: readonly number[] | string];

const SIZE_OF = { 2: 1, 3: 2, 4: 4, 12: 8 } as const;

/**
 * Writes an uncompressed GeoTIFF of four uint16 bands and about this size, strip by strip: half water, half vegetation,
 * 10 m pixels of EPSG:32633 near the equator. Its time is stated nowhere.
 */
export async function writeLargeGeotiff(path: string, megabytes: number): Promise<void> {
  const strips = Math.max(1, Math.round((megabytes * 1_000_000) / STRIP_BYTES));
  await using file = await open(path, "w");
  const directoryAt = 8 + strips * STRIP_BYTES;
  const head = Buffer.alloc(8);
  head.write("II*\0", "latin1");
  head.writeUInt32LE(directoryAt, 4);
  await file.write(head, 0, 8, 0);
  for (let strip = 0; strip < strips; strip += 1) {
    await file.write(stripOf(strip), 0, STRIP_BYTES, 8 + strip * STRIP_BYTES);
  }
  const directory = directoryOf(strips, directoryAt);
  await file.write(directory, 0, directory.length, directoryAt);
}

function stripOf(strip: number): Buffer {
  const pixels = new Uint16Array(STRIP_BYTES / 2);
  const water = [900, 800, 500, 200];
  const vegetation = [400, 700, 500, 3_500];
  for (let pixel = 0; pixel < pixels.length / BANDS; pixel += 1) {
    const column = pixel % WIDTH_PX;
    const values = column < WIDTH_PX / 2 ? water : vegetation;
    for (let band = 0; band < BANDS; band += 1) {
      pixels[pixel * BANDS + band] = (values[band] ?? 0) + ((column * 7 + strip * 13) % 31);
    }
  }
  return Buffer.from(pixels.buffer);
}

function directoryOf(strips: number, directoryAt: number): Buffer {
  const counts = Array.from({ length: strips }, () => STRIP_BYTES);
  const offsets = counts.map((bytes, strip) => 8 + strip * bytes);
  const entries: readonly Entry[] = [
    [256, 4, [WIDTH_PX]],
    [257, 4, [strips * ROWS_PER_STRIP]],
    [258, 3, [16, 16, 16, 16]],
    [259, 3, [1]],
    [262, 3, [1]],
    [273, 4, offsets],
    [277, 3, [BANDS]],
    [278, 4, [ROWS_PER_STRIP]],
    [279, 4, counts],
    [284, 3, [1]],
    [338, 3, [0, 0, 0]],
    [339, 3, [1, 1, 1, 1]],
    [33550, 12, [10, 10, 0]],
    [33922, 12, [0, 0, 0, 500_000, 1_000_000, 0]],
    [34735, 3, [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32633]],
    [42112, 2, METADATA],
    [42113, 2, "0\0"],
  ];
  const table = Buffer.alloc(2 + entries.length * 12 + 4);
  table.writeUInt16LE(entries.length, 0);
  const values: Buffer[] = [];
  let at = directoryAt + table.length;
  for (const [position, [tag, type, content]] of entries.entries()) {
    const bytes = bytesOf(type, content);
    const entryAt = 2 + position * 12;
    table.writeUInt16LE(tag, entryAt);
    table.writeUInt16LE(type, entryAt + 2);
    table.writeUInt32LE(content.length, entryAt + 4);
    if (bytes.length <= 4) {
      bytes.copy(table, entryAt + 8);
      continue;
    }
    table.writeUInt32LE(at, entryAt + 8);
    values.push(bytes);
    at += bytes.length;
  }
  return Buffer.concat([table, ...values]);
}

function bytesOf(type: Entry[1], content: Entry[2]): Buffer {
  if (typeof content === "string") return Buffer.from(content, "latin1");
  const bytes = Buffer.alloc(content.length * SIZE_OF[type]);
  for (const [position, value] of content.entries()) {
    if (type === 3) bytes.writeUInt16LE(value, position * 2);
    else if (type === 4) bytes.writeUInt32LE(value, position * 4);
    else bytes.writeDoubleLE(value, position * 8);
  }
  return bytes;
}
