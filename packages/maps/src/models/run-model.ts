import type { AnalysisBlock, BlockResult, FoundObject, PixelRect } from "../analysis/block.ts";
import { fillBox } from "../analysis/shape/fill-box.ts";
import { decodeBoxes } from "./decode-boxes.ts";
import { decodeMask, decodeWindow } from "./decode-classes.ts";
import { decodeValues } from "./decode-values.ts";
import { modelInput, type ModelTensor } from "./model-input.ts";
import { overlapPx, type ModelManifest } from "./model-manifest.ts";
import { signedArea } from "./polygon-overlap.ts";
import { suppressBoxes } from "./suppress-boxes.ts";
import { modelTiles, type ModelTile } from "./tile-plan.ts";

/** Runs a model on one tensor; its answer is one tensor, or boxes and scores. */
export type Infer = (input: ModelTensor) => Promise<readonly ModelTensor[]>;

/** Parameters of an analysis by a model; plain data. */
export interface ModelParameters {
  readonly manifest: ModelManifest;
  /** Stored values per channel that become 0 and 255. */
  readonly ranges: readonly (readonly [low: number, high: number])[];
}

/** Resolutions nearer than this to the model's are taken as they are. */
const SAME_SCALE = 0.05;
/** Part of the overlap by which a tile may look beyond its cell: boxes move by a pixel from tile to tile. */
const SLACK = 0.25;
/** Pixels of the grid beyond its border of which a block claims objects. */
const CLAIM_PX = 2;
const TURN_DEG = 180 / Math.PI;

/**
 * Pixels of the grid around a block; a pixel of the grid is at least half one of the model. Windows of classification are
 * seen whole, even those in the middle of a narrow cell.
 */
export function modelMarginPx(manifest: ModelManifest): number {
  if (manifest.input.form === "rows") return 0;
  return (manifest.task === "classify" ? Math.max(...manifest.input.size) : overlapPx(manifest)) + 8;
}

/** Class value of pixels without one, after the classes. */
export function modelBackground({ classes }: Pick<ModelManifest, "classes">): number {
  return classes.length + 1;
}

/**
 * Runs a model over a block in overlapping tiles. A block gives the same result whatever lies around the requested area,
 * because tiles follow from its core.
 *
 * @throws {ModelOutputError} when the model's output is not what the manifest says
 */
export async function runModel(block: AnalysisBlock, infer: Infer, parameters: ModelParameters): Promise<BlockResult> {
  const { manifest, ranges } = parameters;
  const { columns, rows } = block.rect;
  const layer = validLayer(block, modelBackground(manifest));
  const valid = layer.slice();
  const isValue = manifest.task === "regress";
  const hasNumbers = isValue || manifest.task === "classify";
  const numbers = hasNumbers ? new Float32Array(columns * rows).fill(Number.NaN) : null;
  const layers = numbers === null ? [layer] : isValue ? [numbers] : [layer, numbers];
  if (!hasPixels(valid, block, block.core)) return { layers, objects: [] };
  const scaleX = scaleOf(manifest.gsd.train, block.ground.metresPerPixelX);
  const scaleY = scaleOf(manifest.gsd.train, block.ground.metresPerPixelY);
  const found: FoundObject[] = [];
  for (const tile of modelTiles(block.core, manifest.input.size, overlapsOf(manifest), scaleX, scaleY)) {
    const own = cellPixels(tile, block.core);
    if (!hasPixels(valid, block, own)) continue;
    const outputs = await infer(modelInput(block, tile, manifest, ranges));
    if (manifest.task === "segment") paintPicture(layer, block, tile, decodeMask(outputs, manifest), manifest);
    else if (isValue && numbers !== null) paintPicture(numbers, block, tile, decodeValues(outputs, manifest), manifest);
    else if (numbers !== null) paintWindow(layer, numbers, block, own, decodeWindow(outputs, manifest));
    else found.push(...boxesOf(outputs, tile, block, manifest, SLACK * overlapPx(manifest)));
  }
  const objects = suppressBoxes(found, manifest.iou);
  for (const { className, corners } of objects) {
    const place = corners.map(([x, y]) => [x - block.rect.column, y - block.rect.row] as const);
    fillBox(layer, columns, rows, place, manifest.classes.indexOf(className) + 1);
  }
  for (let i = 0; i < layer.length; i++) {
    if (valid[i] !== 0) continue;
    layer[i] = 0;
    if (numbers !== null) numbers[i] = Number.NaN;
  }
  return { layers, objects: objects.map((object) => claimed(object, block, valid)) };
}

/**
 * Two blocks may place an object on their common border by a pixel differently, each in the other: both claim what lies
 * just beyond their own, by a centre just inside, and one of the two is left in the end.
 */
function claimed(object: FoundObject, { rect, core }: AnalysisBlock, valid: Uint8Array): FoundObject {
  const [x, y] = object.centre;
  const centre = [
    claimedPlace(x, core.column, core.column + core.columns),
    claimedPlace(y, core.row, core.row + core.rows),
  ] as const;
  const at = (Math.floor(y) - rect.row) * rect.columns + Math.floor(x) - rect.column;
  return valid[at] === undefined || valid[at] === 0 ? object : { ...object, centre };
}

function claimedPlace(place: number, from: number, to: number): number {
  if (place < from && place >= from - CLAIM_PX) return from;
  return place >= to && place < to + CLAIM_PX ? to - 1e-6 : place;
}

/** The background where all bands have data, 0 elsewhere. */
function validLayer({ rect, scenes }: AnalysisBlock, background: number): Uint8Array {
  const layer = new Uint8Array(rect.columns * rect.rows);
  const planes = scenes.flat();
  for (let i = 0; i < layer.length; i++) layer[i] = planes.every((plane) => !Number.isNaN(plane[i]!)) ? background : 0;
  return layer;
}

function overlapsOf(manifest: ModelManifest): readonly [number, number] {
  const { task, input, output } = manifest;
  if (task === "classify") return [input.size[0] - output.step, input.size[1] - output.step];
  const overlap = overlapPx(manifest);
  return [overlap, overlap];
}

/** One of boxes that two blocks have both found, in the middle of its corners. */
export function finishModel(
  objects: readonly FoundObject[],
  _model: unknown,
  parameters: ModelParameters,
): readonly FoundObject[] {
  const { iou } = parameters.manifest;
  return suppressBoxes(objects, iou).map((object) => ({ ...object, centre: middleOf(object.corners) }));
}

function middleOf(corners: FoundObject["corners"]): readonly [number, number] {
  let [x, y] = [0, 0];
  for (const [column, row] of corners) {
    x += column / corners.length;
    y += row / corners.length;
  }
  return [x, y];
}

function scaleOf(trainM: number, metresPerPixel: number): number {
  const scale = trainM / metresPerPixel;
  return Math.abs(scale - 1) < SAME_SCALE ? 1 : scale;
}

/** Whether any pixel of a part of the block has data. */
function hasPixels(valid: Uint8Array, { rect }: AnalysisBlock, part: PixelRect): boolean {
  for (let row = part.row - rect.row; row < part.row - rect.row + part.rows; row++) {
    const start = row * rect.columns + part.column - rect.column;
    for (let i = start; i < start + part.columns; i++) if (valid[i] !== 0) return true;
  }
  return false;
}

function boxesOf(
  outputs: readonly ModelTensor[],
  tile: ModelTile,
  { ground }: AnalysisBlock,
  manifest: ModelManifest,
  slackPx: number,
): readonly FoundObject[] {
  const toGrid = ([x, y]: readonly [number, number]): readonly [number, number] => [
    tile.column + x * tile.scaleX,
    tile.row + y * tile.scaleY,
  ];
  const { cell } = tile;
  return decodeBoxes(outputs, manifest).flatMap(({ className, confidence, centre, corners }) => {
    const [x, y] = toGrid(centre);
    const isOwn =
      x >= cell.left - slackPx * tile.scaleX &&
      x < cell.right + slackPx * tile.scaleX &&
      y >= cell.top - slackPx * tile.scaleY &&
      y < cell.bottom + slackPx * tile.scaleY;
    if (!isOwn) return [];
    const placed = corners.map(toGrid);
    const metres = placed.map(([px, py]) => [px * ground.metresPerPixelX, py * ground.metresPerPixelY] as const);
    return [
      {
        className,
        centre: [x, y],
        corners: placed,
        areaM2: Math.abs(signedArea(metres)),
        count: 1,
        confidence,
        properties: { ...sizes(metres, ground.northDeg, manifest.task === "detect-obb"), source: sourceOf(manifest) },
      },
    ];
  });
}

function sourceOf({ id, sha256 }: ModelManifest): string {
  return `onnx:${id}@${sha256.slice(0, 12)}`;
}

/** Length, width and, of oriented boxes, the direction of the long side, which does not tell bow from stern. */
function sizes(
  metres: readonly (readonly [number, number])[],
  northDeg: number,
  oriented: boolean,
): Readonly<Record<string, number>> {
  const [a, b, c] = metres as readonly [
    readonly [number, number],
    readonly [number, number],
    readonly [number, number],
  ];
  const first = [b[0] - a[0], b[1] - a[1]] as const;
  const second = [c[0] - b[0], c[1] - b[1]] as const;
  const [long, short] = Math.hypot(...first) >= Math.hypot(...second) ? [first, second] : [second, first];
  const headingDeg = (((Math.atan2(long[0], -long[1]) * TURN_DEG + northDeg) % 180) + 180) % 180;
  return {
    lengthM: Number(Math.hypot(...long).toFixed(2)),
    widthM: Number(Math.hypot(...short).toFixed(2)),
    ...(oriented ? { headingDeg: Number(headingDeg.toFixed(1)) % 180 } : {}),
  };
}

/** Output for one tile: a value per pixel, as classes or as numbers. */
interface OutputPicture {
  readonly values: ArrayLike<number>;
  readonly heightPx: number;
  readonly widthPx: number;
}

/** Values of the cell's pixels, each from the nearest pixel of the output; pixels without a value stay. */
function paintPicture(
  layer: Uint8Array | Float32Array,
  { rect, core }: AnalysisBlock,
  tile: ModelTile,
  { values, heightPx, widthPx }: OutputPicture,
  manifest: ModelManifest,
): void {
  const [height, width] = manifest.input.size;
  const own = cellPixels(tile, core);
  for (let row = own.row; row < own.row + own.rows; row++) {
    const v = Math.floor((((row + 0.5 - tile.row) / tile.scaleY) * heightPx) / height);
    if (v < 0 || v >= heightPx) continue;
    for (let column = own.column; column < own.column + own.columns; column++) {
      const u = Math.floor((((column + 0.5 - tile.column) / tile.scaleX) * widthPx) / width);
      if (u < 0 || u >= widthPx) continue;
      const value = values[v * widthPx + u]!;
      // The class 0 is the background; numbers may be 0.
      if (manifest.task === "segment" ? value !== 0 : Number.isFinite(value)) {
        layer[(row - rect.row) * rect.columns + column - rect.column] = value;
      }
    }
  }
}

/** One class and its score for all pixels of the cell. */
function paintWindow(
  layer: Uint8Array,
  confidences: Float32Array,
  { rect }: AnalysisBlock,
  own: PixelRect,
  { value, confidence }: ReturnType<typeof decodeWindow>,
): void {
  for (let row = own.row - rect.row; row < own.row - rect.row + own.rows; row++) {
    const start = row * rect.columns + own.column - rect.column;
    if (value !== 0) layer.fill(value, start, start + own.columns);
    confidences.fill(confidence, start, start + own.columns);
  }
}

/** Pixels whose middle is in the cell. */
function cellPixels({ cell }: ModelTile, core: PixelRect): PixelRect {
  const column = Math.max(core.column, Math.ceil(cell.left - 0.5));
  const row = Math.max(core.row, Math.ceil(cell.top - 0.5));
  return {
    column,
    row,
    columns: Math.min(core.column + core.columns, Math.ceil(cell.right - 0.5)) - column,
    rows: Math.min(core.row + core.rows, Math.ceil(cell.bottom - 0.5)) - row,
  };
}
