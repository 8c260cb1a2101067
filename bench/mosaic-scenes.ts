import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createProjection } from "@swath/kernel/crs/projection";
import { coastGeotiff } from "../e2e/make-geotiff.ts";
import { TEMPORARY } from "./large-geotiff.ts";
import { seededRandom } from "./statistics.ts";

const SCENES = 20;
export const SIDE_PX = 3072;
const PIXEL_M = 10;
const ORIGIN = { x: 500_000, y: 5_550_000 } as const;
/** A scene is a slanted strip of the square, as the swath of a satellite is. */
const STRIP_PX = 2100;
const SLANT = 0.3;

type LonLat = readonly [lonDeg: number, latDeg: number];

/** A scene of the mosaic as a GeoTIFF with zeros around its strip. */
export interface MosaicScene {
  readonly name: string;
  /** `YYYY-MM-DD`; later scenes come first in the mosaic. */
  readonly day: string;
  readonly path: string;
  /** Red, green and blue as a cloud optimized GeoTIFF with overviews. */
  readonly colourPath: string;
  readonly footprint: { readonly type: "Polygon"; readonly coordinates: readonly (readonly LonLat[])[] };
}

const utm = createProjection("+proj=utm +zone=33 +datum=WGS84 +units=m");

export function lonLatOf(column: number, row: number): LonLat {
  const [lon, lat] = utm.inverse(ORIGIN.x + column * PIXEL_M, ORIGIN.y - row * PIXEL_M);
  return [lon, lat];
}

/** Twenty overlapping scenes, made once and kept in `bench/tmp`; GDAL makes the files of the peer. */
export async function mosaicScenes(): Promise<readonly MosaicScene[]> {
  const folder = join(TEMPORARY, `mosaic-${SIDE_PX}`);
  await mkdir(folder, { recursive: true });
  const random = seededRandom(20);
  const scenes: MosaicScene[] = [];
  for (let index = 0; index < SCENES; index++) {
    const first = Math.round(-STRIP_PX / 2 + random() * (SIDE_PX * (1 + SLANT)));
    const gain = 0.85 + random() * 0.3;
    const day = `2024-05-${String(index + 1).padStart(2, "0")}`;
    const name = `mosaic_${day}`;
    const path = join(folder, `${name}.tif`);
    const colourPath = join(folder, `${name}-colour.tif`);
    if (!existsSync(colourPath)) await writeScene({ path, colourPath, first, gain });
    scenes.push({ name, day, path, colourPath, footprint: footprintOf(first) });
  }
  return scenes;
}

interface SceneFiles {
  readonly path: string;
  readonly colourPath: string;
  readonly first: number;
  readonly gain: number;
}

async function writeScene({ colourPath, first, gain, path }: SceneFiles): Promise<void> {
  const value = (band: number, column: number, row: number): number => {
    const along = column + SLANT * row - first;
    if (along < 0 || along >= STRIP_PX) return 0;
    // Fields of 37 pixels with a texture: a picture that compresses as a real one does not.
    const field = (Math.floor(column / 37) * 31 + Math.floor(row / 37) * 17) % 23;
    const texture = (column * 7919 + row * 104_729 + band * 31) % 61;
    return Math.max(1, Math.round(gain * (350 + band * 120 + field * 70) + texture));
  };
  const bytes = coastGeotiff({
    widthPx: SIDE_PX,
    heightPx: SIDE_PX,
    originX: ORIGIN.x,
    originY: ORIGIN.y,
    resolutionM: PIXEL_M,
    value,
  });
  await writeFile(path, bytes);
  const partial = `${colourPath}.part`;
  const options = ["-of", "COG", "-b", "3", "-b", "2", "-b", "1", "-a_nodata", "0"];
  const creation = ["COMPRESS=DEFLATE", "PREDICTOR=YES", "BLOCKSIZE=512", "RESAMPLING=AVERAGE"].flatMap((one) => [
    "-co",
    one,
  ]);
  const made = spawnSync("gdal_translate", ["-q", ...options, ...creation, path, partial], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`gdal_translate failed, this bench needs gdal-bin: ${made.stderr}`);
  await rename(partial, colourPath);
  await rm(`${partial}.aux.xml`, { force: true });
}

/** The pixel of a column where an edge of the strip meets it; null outside the square. */
function through(edge: number, column: number): readonly [number, number] | null {
  const row = (edge - column) / SLANT;
  return row > 0 && row < SIDE_PX ? [column, row] : null;
}

/** The strip within the square, corner by corner. */
function footprintOf(first: number): MosaicScene["footprint"] {
  const corners: (readonly [number, number])[] = [];
  for (const edge of [first, first + STRIP_PX]) {
    const rows = edge === first ? [0, SIDE_PX] : [SIDE_PX, 0];
    for (const row of rows) corners.push([Math.min(SIDE_PX, Math.max(0, edge - SLANT * row)), row]);
  }
  // Where an edge leaves the square through its left or right side, the strip has a further corner there.
  const all = [
    ...corners,
    ...[first, first + STRIP_PX].flatMap((edge) => [through(edge, 0), through(edge, SIDE_PX)]),
  ].filter((corner) => corner !== null);
  const inside = all.filter(([column, row]) => {
    const along = column + SLANT * row - first;
    return along >= -1e-6 && along <= STRIP_PX + 1e-6;
  });
  const middle = [0, 1].map((axis) => inside.reduce((sum, corner) => sum + (corner[axis] ?? 0), 0) / inside.length);
  const angle = ([column, row]: readonly [number, number]): number =>
    Math.atan2(-(row - (middle[1] ?? 0)), column - (middle[0] ?? 0));
  const ring = inside.toSorted((a, b) => angle(a) - angle(b)).map(([column, row]) => lonLatOf(column, row));
  return { type: "Polygon", coordinates: [[...ring, ring[0]!]] };
}
