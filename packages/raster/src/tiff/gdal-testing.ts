import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endianness } from "node:os";
import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { PixelArray } from "../source-raster.ts";
import { allocatePixels } from "./samples.ts";

/** GDAL's command-line programs as the independent reference of tests, where they are installed. */
export const gdalInstalled: boolean = spawnSync("gdal_translate", ["--version"]).status === 0;

const ENVI_TYPES: Readonly<Record<number, DataType>> = {
  1: "uint8",
  2: "int16",
  3: "int32",
  4: "float32",
  5: "float64",
  12: "uint16",
  13: "uint32",
};

export interface RawRaster {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly dataType: DataType;
  readonly bands: readonly PixelArray[];
}

/** A folder for files of one test, removed with it. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "swath-tiff-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export function runGdal(program: string, args: readonly string[], input?: string): string {
  const result = spawnSync(program, args, {
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    ...(input === undefined ? {} : { input }),
  });
  if (result.status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${result.stderr}${result.stdout}`);
  return result.stdout;
}

/** Writes the raster for GDAL to read: raw values with an ENVI header. */
export function writeRaw(path: string, raster: RawRaster): void {
  const type = Object.entries(ENVI_TYPES).find(([, name]) => name === raster.dataType)?.[0];
  if (type === undefined) throw new Error(`ENVI has no ${raster.dataType}`);
  writeFileSync(
    path,
    Buffer.concat(raster.bands.map((band) => Buffer.from(band.buffer, band.byteOffset, band.byteLength))),
  );
  writeFileSync(
    `${path}.hdr`,
    [
      "ENVI",
      `samples = ${raster.widthPx}`,
      `lines = ${raster.heightPx}`,
      `bands = ${raster.bands.length}`,
      "header offset = 0",
      `data type = ${type}`,
      "interleave = bsq",
      `byte order = ${endianness() === "LE" ? 0 : 1}`,
      "",
    ].join("\n"),
  );
}

/** All bands of any file as GDAL reads them. */
export function readWithGdal(path: string, folder: string): RawRaster {
  const raw = join(folder, "reference.raw");
  runGdal("gdal_translate", ["-q", "-of", "ENVI", "-co", "INTERLEAVE=BSQ", path, raw]);
  const header = readFileSync(raw.replace(/\.raw$/, ".hdr"), "utf8");
  const field = (name: string) => Number(new RegExp(`^${name}\\s*=\\s*(\\d+)`, "m").exec(header)?.[1]);
  const dataType = ENVI_TYPES[field("data type")];
  if (dataType === undefined) throw new Error(`unexpected ENVI type in ${header}`);
  const widthPx = field("samples");
  const heightPx = field("lines");
  const data = readFileSync(raw);
  const bandBytes = data.length / field("bands");
  const bands = Array.from({ length: field("bands") }, (_, i) => {
    const band = allocatePixels(dataType, widthPx * heightPx);
    new Uint8Array(band.buffer).set(data.subarray(i * bandBytes, (i + 1) * bandBytes));
    return band;
  });
  return { widthPx, heightPx, dataType, bands };
}
