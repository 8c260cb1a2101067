import type { AnalysisBlock, AnalysisSurvey, PixelRect } from "../analysis/block.ts";
import { reflectanceScale } from "@swath/kernel/bands/radiometry";
import { applyAffine } from "@swath/kernel/raster-mathematics/affine";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { landMask } from "../geography/land.ts";
import type { OutputGrid } from "@swath/raster/sample/output-grid";
import { sceneGeometry } from "@swath/raster/sample/scene-geometry";
import { SceneSampler, type PixelAccess } from "@swath/raster/sample/scene-sampler";
import { gridToLonLat, groundOf, type AnalysisGrid } from "./analysis-grid.ts";

/** A plane that is read: see the map types' `WantedPlane`. */
export interface ReadPlane {
  readonly position: number;
  readonly quantity: "reflectance" | "power" | "stored";
  readonly resampling: "smooth" | "nearest";
}

/** Pixels of some scenes on one grid. Plain data. */
export interface BlockSource {
  readonly grid: AnalysisGrid;
  readonly scenes: readonly {
    readonly scene: Scene;
    readonly raster: StoredRaster;
    readonly planes: readonly ReadPlane[];
  }[];
  readonly marginPx: number;
  readonly wantsLand: boolean;
}

/** Runs a drawing with pixel access, fetching what it lacks: `RenderEngine.draw`. */
export type Draw = <T>(drawing: (access: PixelAccess) => T) => Promise<T>;

const OVERVIEW_PIXELS = 1_000_000;
const SURVEY_WINDOW_PX = 256;
const SURVEY_WINDOWS_PER_SIDE = 4;
/** Overview and windows of this many planes take 100 MB each; of more planes, as in long series, less is read. */
const SURVEY_PLANES = 24;
/** A window that is mostly empty says nothing of the scene. */
const MIN_VALID_SHARE = 0.5;

function withMargin({ column, row, columns, rows }: PixelRect, marginPx: number): PixelRect {
  return {
    column: column - marginPx,
    row: row - marginPx,
    columns: columns + 2 * marginPx,
    rows: rows + 2 * marginPx,
  };
}

/** The block that answers for `core`. */
export async function readBlock(draw: Draw, source: BlockSource, core: PixelRect): Promise<AnalysisBlock> {
  return readRect(draw, source, source.grid, withMargin(core, source.marginPx), core);
}

/** Pixels for the survey of an algorithm, before the blocks. */
export async function readSurvey(draw: Draw, source: BlockSource): Promise<AnalysisSurvey> {
  const { grid } = source;
  const planes = source.scenes.reduce((sum, scene) => sum + scene.planes.length, 0);
  const part = Math.min(1, SURVEY_PLANES / planes);
  const step = Math.max(1, Math.ceil(Math.sqrt((grid.widthPx * grid.heightPx) / (part * OVERVIEW_PIXELS))));
  const [a, b, c, d, e, f] = grid.geotransform;
  const reduced: AnalysisGrid = {
    raster: grid.raster,
    widthPx: Math.ceil(grid.widthPx / step),
    heightPx: Math.ceil(grid.heightPx / step),
    geotransform: [a * step, b * step, c, d * step, e * step, f],
    blockPx: grid.blockPx,
  };
  const whole = { column: 0, row: 0, columns: reduced.widthPx, rows: reduced.heightPx };
  const overview = await readRect(draw, source, reduced, whole, whole);
  const windows: AnalysisBlock[] = [];
  for (const core of surveyWindows(grid, Math.floor(SURVEY_WINDOWS_PER_SIDE * Math.sqrt(part)))) {
    const block = await readRect(draw, source, grid, core, core);
    const first = block.scenes[0]?.[0];
    if (first !== undefined && first.length > 0 && validShare(first) >= MIN_VALID_SHARE) windows.push(block);
  }
  return { overview, windows };
}

function surveyWindows({ widthPx, heightPx }: AnalysisGrid, perSide: number): readonly PixelRect[] {
  const windows: PixelRect[] = [];
  const columns = Math.min(SURVEY_WINDOW_PX, widthPx);
  const rows = Math.min(SURVEY_WINDOW_PX, heightPx);
  const across = Math.min(perSide, Math.max(1, Math.floor(widthPx / columns)));
  const down = Math.min(perSide, Math.max(1, Math.floor(heightPx / rows)));
  for (let j = 0; j < down; j++) {
    for (let i = 0; i < across; i++) {
      windows.push({
        column: Math.floor(((i + 0.5) * widthPx) / across - columns / 2),
        row: Math.floor(((j + 0.5) * heightPx) / down - rows / 2),
        columns,
        rows,
      });
    }
  }
  return windows;
}

function validShare(plane: Float32Array): number {
  let valid = 0;
  for (const value of plane) if (!Number.isNaN(value)) valid++;
  return valid / plane.length;
}

async function readRect(
  draw: Draw,
  source: BlockSource,
  grid: AnalysisGrid,
  rect: PixelRect,
  core: PixelRect,
): Promise<AnalysisBlock> {
  const scenes: (readonly Float32Array[])[] = [];
  for (const { scene, raster, planes } of source.scenes) {
    const output = nativeOutput(grid, rect, raster);
    scenes.push(await draw((access) => samplePlanes(access, scene, raster, planes, output, grid)));
  }
  const land = source.wantsLand
    ? landMask(rect.columns, rect.rows, (column, row) => gridToLonLat(grid)(rect.column + column, rect.row + row))
    : null;
  return { rect, core, scenes, land, ground: groundOf(grid, rect) };
}

function samplePlanes(
  access: PixelAccess,
  scene: Scene,
  raster: StoredRaster,
  planes: readonly ReadPlane[],
  output: OutputGrid,
  grid: AnalysisGrid,
): readonly Float32Array[] {
  const sampler = new SceneSampler(access, raster, output);
  const count = output.widthPx * output.heightPx;
  // Pixels on the grid stay unchanged: no weight of a neighbour, however small, may affect them.
  const modeOf = ({ position, resampling }: ReadPlane): "smooth" | "nearest" =>
    isSameGrid(raster, position, grid) ? "nearest" : resampling;
  const pointers: number[] = [];
  for (const mode of ["nearest", "smooth"] as const) {
    const members = planes.flatMap((plane, index) => (modeOf(plane) === mode ? [index] : []));
    if (members.length === 0) continue;
    const sampled = sampler.sampleBands(
      members.map((index) => planes[index]!.position),
      mode,
    );
    for (const [i, index] of members.entries()) pointers[index] = sampled[i]!;
  }
  return planes.map((plane, index) => {
    const values = access.kernel.floats(pointers[index]!, count).slice();
    convert(values, plane, scene, raster);
    return values;
  });
}

function isSameGrid(raster: StoredRaster, position: number, { raster: own, geotransform }: AnalysisGrid): boolean {
  return (
    own.proj4 === raster.proj4 &&
    raster.controlGrid === null &&
    own.controlGrid === null &&
    raster.bands[position]?.geotransform.every((value, i) => value === geotransform[i]) === true
  );
}

/** Brings stored values to the quantity that was asked for, in place. */
function convert(values: Float32Array, { position, quantity }: ReadPlane, scene: Scene, raster: StoredRaster): void {
  const stored = raster.bands[position]!;
  if (quantity === "reflectance") {
    const scale = reflectanceScale(scene, scene.bands[position]!, stored);
    if (scale !== null) for (let i = 0; i < values.length; i++) values[i] = scale.mult * values[i]! + scale.add;
  } else if (quantity === "power" && stored.quantity === "backscatter-db") {
    for (let i = 0; i < values.length; i++) values[i] = 10 ** (values[i]! / 10);
  }
}

/** A rectangle of the grid as the output that a scene is resampled to. */
function nativeOutput(grid: AnalysisGrid, rect: PixelRect, raster: StoredRaster): OutputGrid {
  const place = (column: number, row: number): readonly [number, number] =>
    applyAffine(grid.geotransform, rect.column + column, rect.row + row);
  const area = { x: 0, y: 0, widthPx: rect.columns, heightPx: rect.rows };
  const size = { widthPx: rect.columns, heightPx: rect.rows, area };
  const own = grid.raster;
  if (own.proj4 === raster.proj4 && own.controlGrid === null && raster.controlGrid === null) {
    return {
      ...size,
      toCrs: place,
      unitsPerPixelX: Math.abs(grid.geotransform[0]),
      unitsPerPixelY: Math.abs(grid.geotransform[4]),
    };
  }
  const toLonLat = gridToLonLat(grid);
  const { toCrs } = sceneGeometry(raster);
  const through = (column: number, row: number): readonly [number, number] | null => {
    try {
      return toCrs(...toLonLat(rect.column + column, rect.row + row));
    } catch {
      return null;
    }
  };
  const [x, y] = [rect.columns / 2, rect.rows / 2];
  const [middle, right, below] = [through(x, y), through(x + 1, y), through(x, y + 1)];
  const length = (to: readonly [number, number] | null): number =>
    middle === null || to === null ? 1 : Math.hypot(to[0] - middle[0], to[1] - middle[1]);
  return { ...size, toCrs: through, unitsPerPixelX: length(right), unitsPerPixelY: length(below) };
}
