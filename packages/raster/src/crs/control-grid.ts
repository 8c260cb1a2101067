import { spawn } from "node:child_process";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { ControlGrid } from "@swath/kernel/scenes/stored-raster";
import type { SourceCrs } from "../source-raster.ts";
import { datumShiftOf } from "./epsg-crs.ts";

/** Distance of nodes at which the error of bicubic interpolation stays below a millimetre. */
const NODE_SPACING_M = 3000;
const METRES_PER_DEGREE = 111_320;
const MIN_NODES = 5;
const MAX_NODES = 65;

/** Room around the bounds, for margins that are read outside of a scene. */
const MARGIN_RATIO = 0.02;

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** Whether the datum of the CRS differs from WGS 84, so that a transformation library knows it better than Helmert parameters do. */
function needsDatumShift(crs: SourceCrs): boolean {
  if (!crs.datumShiftKnown || crs.proj4.includes("+towgs84=")) return true;
  return crs.epsg !== null && datumShiftOf(crs.epsg).kind !== "none";
}

/**
 * Longitude/latitude to CRS on a lattice over `bounds`, computed by `gdaltransform` with the transformation that PROJ
 * holds best there, which may use shift grids.
 *
 * @param bounds west, south, east, north in degrees
 * @returns null when the CRS needs no shift, or when the program is absent or does not know the CRS: then the
 * Helmert parameters in `crs.proj4` are the best there is
 */
export async function controlGridFor(crs: SourceCrs, bounds: Bounds, signal: AbortSignal): Promise<ControlGrid | null> {
  if (!needsDatumShift(crs)) return null;
  const [west, south, east, north] = withMargin(bounds);
  const middle = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const columns = nodes((east - west) * METRES_PER_DEGREE * Math.max(0.05, middle));
  const rows = nodes((north - south) * METRES_PER_DEGREE);
  const lines: string[] = [];
  for (let row = 0; row < rows; row++) {
    const lat = north - ((north - south) * row) / (rows - 1);
    for (let column = 0; column < columns; column++)
      lines.push(`${west + ((east - west) * column) / (columns - 1)} ${lat}`);
  }
  const target = crs.epsg === null ? crs.proj4 : `EPSG:${crs.epsg}`;
  const output = await transform(target, `${lines.join("\n")}\n`, signal);
  const points =
    output
      ?.trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number)) ?? [];
  if (points.length !== columns * rows) return null;
  const x = points.map((point) => point[0] ?? Number.NaN);
  const y = points.map((point) => point[1] ?? Number.NaN);
  if (![...x, ...y].every(Number.isFinite)) return null;
  return { bounds: [west, south, east, north], columns, rows, x, y };
}

function withMargin([west, south, east, north]: Bounds): Bounds {
  const lon = (east - west) * MARGIN_RATIO + 1e-4;
  const lat = (north - south) * MARGIN_RATIO + 1e-4;
  return [west - lon, Math.max(-90, south - lat), east + lon, Math.min(90, north + lat)];
}

function nodes(lengthM: number): number {
  return Math.min(MAX_NODES, Math.max(MIN_NODES, Math.ceil(lengthM / NODE_SPACING_M) + 1));
}

/** Output of `gdaltransform`, null when it is absent or fails. */
function transform(targetCrs: string, input: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn("gdaltransform", ["-output_xy", "-s_srs", "EPSG:4326", "-t_srs", targetCrs], {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: TIMEOUT_MS,
      signal,
    });
    const chunks: Buffer[] = [];
    let length = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > MAX_OUTPUT_BYTES) child.kill();
      else chunks.push(chunk);
    });
    child.on("error", (error) => {
      if (signal.aborted) reject(error);
      else resolve(null);
    });
    child.on("close", (code) => resolve(code === 0 ? Buffer.concat(chunks).toString("utf8") : null));
    // A program that ends early closes the pipe; its exit code tells.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
