import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { sampleRows, sampleScene } from "../packages/simulator/src/sample-scene.ts";
import { seededRandom } from "./statistics.ts";

export const TEMPORARY = join(import.meta.dirname, "tmp");

/** Side of a Sentinel-2 granule in its 10 m bands. */
export const GRANULE_PX = 10_980;
const BANDS = 4;
const PATCH_PX = 1098;
/** Sensor noise, digital numbers; without it the mirrored patches compress like nothing a sensor delivers. */
const NOISE = 8;

/**
 * A granule-sized GeoTIFF, 10980 x 10980 x 4 uint16, 10 m, uncompressed, chunky, one row per strip: a simulated
 * patch mirrored ten by ten times with noise of its own on every pixel. Made once, kept in `bench/tmp`.
 */
export async function largeGeotiff(): Promise<string> {
  const path = join(TEMPORARY, "granule.tif");
  if (existsSync(path)) return path;
  await mkdir(TEMPORARY, { recursive: true });
  const patch = await drawPatch();
  const random = seededRandom(1);
  const noise = Int16Array.from({ length: 2 ** 20 }, () => Math.round((random() - 0.5) * 2 * NOISE));

  const { header, dataOffset, rowBytes } = geotiffHeader();
  const partial = `${path}.part`;
  const file = await open(partial, "w");
  await file.write(header, 0, header.length, 0);
  const row = new Uint16Array(GRANULE_PX * BANDS);
  let cursor = 0;
  for (let y = 0; y < GRANULE_PX; y++) {
    const py = mirrored(y);
    for (let x = 0; x < GRANULE_PX; x++) {
      const at = py * PATCH_PX + mirrored(x);
      for (let band = 0; band < BANDS; band++) {
        cursor = (cursor + 7919) & (noise.length - 1);
        row[x * BANDS + band] = Math.max(1, (patch[band]?.[at] ?? 0) + (noise[cursor] ?? 0));
      }
    }
    await file.write(new Uint8Array(row.buffer), 0, rowBytes, dataOffset + y * rowBytes);
  }
  await file.close();
  await rename(partial, path);
  return path;
}

/** One band of the granule in memory: 240 MB. */
export async function granuleBand(band: number): Promise<Uint16Array> {
  const patch = (await drawPatch())[band];
  if (patch === undefined) throw new RangeError(`band ${band} of ${BANDS}`);
  const random = seededRandom(1);
  const noise = Int16Array.from({ length: 2 ** 20 }, () => Math.round((random() - 0.5) * 2 * NOISE));
  return Uint16Array.from({ length: GRANULE_PX ** 2 }, (_, i) => {
    const at = mirrored(Math.floor(i / GRANULE_PX)) * PATCH_PX + mirrored(i % GRANULE_PX);
    return Math.max(1, patch[at]! + noise[(i * 7919) & (noise.length - 1)]!);
  });
}

/** Pixels of each band of a simulated scene. */
async function drawPatch(): Promise<readonly Uint16Array[]> {
  const model = sampleScene({ seed: 7, widthPx: PATCH_PX, heightPx: PATCH_PX, resolutionM: 10 });
  const patch = Array.from({ length: BANDS }, () => new Uint16Array(PATCH_PX * PATCH_PX));
  let top = 0;
  for await (const { rows, bands } of sampleRows(model, new AbortController().signal)) {
    for (const [index, band] of bands.entries()) patch[index]?.set(band, top * PATCH_PX);
    top += rows;
  }
  return patch;
}

/** Red, green and blue of the store's COGs as one file, for peers that read one. */
export function colourVrt(files: readonly string[]): string {
  const path = join(TEMPORARY, "colour.vrt");
  const [blue = "", green = "", red = ""] = files;
  const { status } = spawnSync("gdalbuildvrt", ["-q", "-overwrite", "-separate", path, red, green, blue], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("gdalbuildvrt failed: this bench needs gdal-bin");
  return path;
}

function mirrored(position: number): number {
  const period = position % (2 * PATCH_PX);
  return period < PATCH_PX ? period : 2 * PATCH_PX - 1 - period;
}

function geotiffHeader(): { readonly header: Uint8Array; readonly dataOffset: number; readonly rowBytes: number } {
  const rowBytes = GRANULE_PX * BANDS * 2;
  const directoryOffset = 8;
  const tags: readonly (readonly [tag: number, type: number, count: number, value: number | "overflow"])[] = [
    [256, 4, 1, GRANULE_PX],
    [257, 4, 1, GRANULE_PX],
    [258, 3, BANDS, "overflow"],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, GRANULE_PX, "overflow"],
    [277, 3, 1, BANDS],
    [278, 3, 1, 1],
    [279, 4, GRANULE_PX, "overflow"],
    [284, 3, 1, 1],
    [338, 3, BANDS - 1, "overflow"],
    [33550, 12, 3, "overflow"],
    [33922, 12, 6, "overflow"],
    [34735, 3, 16, "overflow"],
  ];
  const sizes: Readonly<Record<number, number>> = { 3: 2, 4: 4, 12: 8 };
  let offset = directoryOffset + 2 + tags.length * 12 + 4;
  offset = Math.ceil(offset / 8) * 8;
  const offsets = new Map<number, number>();
  for (const [tag, type, count, value] of tags) {
    if (value !== "overflow") continue;
    offsets.set(tag, offset);
    offset = Math.ceil((offset + count * (sizes[type] ?? 1)) / 8) * 8;
  }
  const dataOffset = offset;
  const header = new Uint8Array(dataOffset);
  const view = new DataView(header.buffer);
  view.setUint16(0, 0x4949, true);
  view.setUint16(2, 42, true);
  view.setUint32(4, directoryOffset, true);
  view.setUint16(directoryOffset, tags.length, true);
  tags.forEach(([tag, type, count, value], index) => {
    const at = directoryOffset + 2 + index * 12;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, count, true);
    view.setUint32(at + 8, value === "overflow" ? (offsets.get(tag) ?? 0) : value, true);
  });
  const at = (tag: number): number => offsets.get(tag) ?? 0;
  for (let band = 0; band < BANDS; band++) view.setUint16(at(258) + band * 2, 16, true);
  for (let y = 0; y < GRANULE_PX; y++) {
    view.setUint32(at(273) + y * 4, dataOffset + y * rowBytes, true);
    view.setUint32(at(279) + y * 4, rowBytes, true);
  }
  [10, 10, 0].forEach((value, index) => view.setFloat64(at(33550) + index * 8, value, true));
  [0, 0, 0, 499_980, 5_600_040, 0].forEach((value, index) => view.setFloat64(at(33922) + index * 8, value, true));
  [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32_633].forEach((value, index) =>
    view.setUint16(at(34735) + index * 2, value, true),
  );
  return { header, dataOffset, rowBytes };
}
