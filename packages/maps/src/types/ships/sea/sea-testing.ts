import type { AnalysisBlock, AnalysisSurvey, FoundObject, PixelRect } from "../../../analysis/block.ts";
import { ships, SHIPS_MARGIN_PX, type ShipModel, type ShipParameters } from "../ships.ts";

/** A whole scene in memory. */
export interface SeaScene {
  readonly columns: number;
  readonly rows: number;
  readonly planes: readonly Float32Array[];
  /** 1 on land; null when nothing is known. */
  readonly land: Uint8Array | null;
  readonly pixelM: number;
}

const SURVEY_PX = 256;
/** Whole scenes at once, unless a test asks for blocks. */
const BLOCK_PX = 4096;

/** A part of a scene as the service reads it: NaN outside, pixels averaged `step` by `step`. */
export function sceneBlock(scene: SeaScene, rect: PixelRect, core: PixelRect, step = 1): AnalysisBlock {
  const count = rect.columns * rect.rows;
  const planes = scene.planes.map(() => new Float32Array(count).fill(Number.NaN));
  const land = scene.land === null ? null : new Uint8Array(count);
  for (let row = 0; row < rect.rows; row++) {
    const y = (rect.row + row) * step;
    if (y < 0 || y >= scene.rows) continue;
    for (let column = 0; column < rect.columns; column++) {
      const x = (rect.column + column) * step;
      if (x < 0 || x >= scene.columns) continue;
      const i = row * rect.columns + column;
      if (land !== null) land[i] = scene.land![y * scene.columns + x]!;
      for (const [p, plane] of scene.planes.entries()) {
        planes[p]![i] = step === 1 ? plane[y * scene.columns + x]! : average(scene, plane, x, y, step);
      }
    }
  }
  const ground = {
    metresPerPixelX: scene.pixelM * step,
    metresPerPixelY: scene.pixelM * step,
    northDeg: 0,
    lonDeg: 0,
    latDeg: 0,
  };
  return { rect, core, scenes: [planes], land, ground };
}

function average({ columns, rows }: SeaScene, plane: Float32Array, left: number, top: number, step: number): number {
  let [sum, count] = [0, 0];
  for (let y = top; y < Math.min(top + step, rows); y++) {
    for (let x = left; x < Math.min(left + step, columns); x++) {
      const value = plane[y * columns + x]!;
      if (value !== value) continue;
      sum += value;
      count++;
    }
  }
  return count === 0 ? Number.NaN : sum / count;
}

/** Overview and windows as the service takes them. */
export function sceneSurvey(scene: SeaScene): AnalysisSurvey {
  const { columns, rows } = scene;
  const step = Math.max(1, Math.ceil(Math.sqrt((columns * rows) / 1e6)));
  const whole = { column: 0, row: 0, columns: Math.ceil(columns / step), rows: Math.ceil(rows / step) };
  const side = Math.min(SURVEY_PX, columns, rows);
  const across = Math.min(4, Math.floor(columns / side));
  const down = Math.min(4, Math.floor(rows / side));
  const windows = Array.from({ length: across * down }, (_, i) => {
    const rect = {
      column: Math.floor((((i % across) + 0.5) * columns) / across - side / 2),
      row: Math.floor(((Math.floor(i / across) + 0.5) * rows) / down - side / 2),
      columns: side,
      rows: side,
    };
    return sceneBlock(scene, rect, rect);
  });
  return { overview: sceneBlock(scene, whole, whole, step), windows };
}

/** Ships of a whole scene, found block by block as the service does. @param blockPx side of the blocks' cores */
export function shipsOf(
  scene: SeaScene,
  parameters: ShipParameters,
  blockPx = BLOCK_PX,
): { readonly objects: readonly FoundObject[]; readonly model: ShipModel; readonly classes: Uint8Array } {
  const told = { ...parameters };
  const model = ships.survey!(sceneSurvey(scene), told);
  const objects: FoundObject[] = [];
  const classes = new Uint8Array(scene.columns * scene.rows);
  for (let row = 0; row < scene.rows; row += blockPx) {
    for (let column = 0; column < scene.columns; column += blockPx) {
      const core = {
        column,
        row,
        columns: Math.min(blockPx, scene.columns - column),
        rows: Math.min(blockPx, scene.rows - row),
      };
      const rect = {
        column: column - SHIPS_MARGIN_PX,
        row: row - SHIPS_MARGIN_PX,
        columns: core.columns + 2 * SHIPS_MARGIN_PX,
        rows: core.rows + 2 * SHIPS_MARGIN_PX,
      };
      const result = ships.compute(sceneBlock(scene, rect, core), model, told);
      objects.push(...result.objects.filter(({ centre: [x, y] }) => isIn(core, x, y)));
      for (let y = 0; y < core.rows; y++) {
        for (let x = 0; x < core.columns; x++) {
          classes[(row + y) * scene.columns + column + x] =
            result.layers[0]![(y + SHIPS_MARGIN_PX) * rect.columns + x + SHIPS_MARGIN_PX]!;
        }
      }
    }
  }
  const inOrder = objects.toSorted((a, b) => a.centre[1] - b.centre[1] || a.centre[0] - b.centre[0]);
  return { objects: ships.finish!(inOrder, model, told), model, classes };
}

function isIn({ column, row, columns, rows }: PixelRect, x: number, y: number): boolean {
  return x >= column && y >= row && x < column + columns && y < row + rows;
}

/** The same objects without what sums in another order change: the last digits of coordinates. */
export function withoutLastDigits(objects: readonly FoundObject[]): readonly unknown[] {
  return objects.map(({ centre, corners, ...rest }) => ({ centre: near(centre), corners: corners.map(near), ...rest }));
}

function near([x, y]: readonly [number, number]): readonly number[] {
  return [Math.round(x * 100), Math.round(y * 100)];
}
