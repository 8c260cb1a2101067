import type { Block, Frame } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import type { Geography } from "./geography.ts";
import type { View } from "./view.ts";
import { DRY, groundNodes, JITTER_M, SEA, SHORE, type GroundNodes } from "./ground-nodes.ts";
import { layBeach, layMarsh, laySnow, layVegetation, layWater } from "./ground-layers.ts";
import { rowOf, type GroundRow } from "./ground-row.ts";
import { bilinear, interpolateRow } from "./node-lattice.ts";
import { addNoiseRow, grainRow, textureWavelengths } from "./texture.ts";

/**
 * Paints nature: sea, rivers, woods, grass, deserts, snow, in the light of the sun and the colours of the season.
 * Everything else is laid over it.
 */
export function paintGround(canvas: Canvas, block: Block, frame: Frame, geography: Geography, view: View): void {
  const { columns, rows } = canvas;
  const row = rowOf(columns);
  row.dry.fill(0);
  row.wet.fill(1);
  row.now.fill(20);
  row.warm.fill(20);
  row.light.fill(1);
  const ground = groundNodes(canvas, block, frame, geography, view);
  for (let line = 0; line < rows; line += 1) {
    const isMarshy = fillRow(row, canvas, block, frame, ground, view, line);
    layRow(row, canvas, block.pixelM, ground, view, line, isMarshy);
  }
}

/** Index of the first node of a line, one in from the edge. */
function firstCellOf({ fine }: Geography, line: number): number {
  return (Math.floor(line / fine.stepPx) + 1) * fine.columns + 1;
}

/** Interpolates the values that a line of pixels needs. True where a part of it may be marsh. */
function fillRow(
  row: GroundRow,
  canvas: Canvas,
  { pixelM }: Block,
  frame: Frame,
  { geography, climate, light, deep, kinds, any }: GroundNodes,
  view: View,
  line: number,
): boolean {
  const { fine, coarse } = geography;
  const { columns, rows } = canvas;
  const v = (line + 0.5) / rows;
  const x = bilinear(frame.x, 0.5 / columns, v);
  const y = bilinear(frame.y, 0.5 / columns, v);
  const dx = (bilinear(frame.x, 1, v) - bilinear(frame.x, 0, v)) / columns;
  const dy = (bilinear(frame.y, 1, v) - bilinear(frame.y, 0, v)) / columns;
  const firstCell = firstCellOf(geography, line);
  const cells = Math.ceil(columns / fine.stepPx);
  const [shortM = 0, longM = 0] = textureWavelengths(pixelM);
  let dry = false;
  let shore = false;
  let sea = false;
  for (let cell = firstCell; cell < firstCell + cells; cell += 1) {
    const kind = kinds[cell];
    if (kind === DRY) dry = true;
    else if (kind === SHORE) shore = true;
    else sea = true;
  }
  if (shore || sea) canvas.wetRows[line] = 1;
  grainRow(row.grain, x, y, dx, dy, shortM, longM);
  if (light !== null) interpolateRow(fine, light, line, row.light);
  if (any.cold || any.bare) interpolateRow(coarse, climate.now, line, row.now);
  if (dry || shore) {
    if (any.bare) interpolateRow(coarse, geography.warm, line, row.warm);
    if (any.arid) interpolateRow(coarse, climate.dry, line, row.dry);
    if (any.desert) interpolateRow(coarse, geography.wet, line, row.wet);
    interpolateRow(coarse, climate.green, line, row.green);
    interpolateRow(fine, climate.thick, line, row.woods);
  }
  const isMarshy = (dry || shore) && interpolateRow(fine, climate.marsh, line, row.marsh) > 0.3;
  if (shore || sea) {
    interpolateRow(fine, geography.shore, line, row.shore);
    if (deep !== null) interpolateRow(fine, deep, line, row.deep);
  }
  if (shore) {
    interpolateRow(fine, climate.bank, line, row.bank);
    interpolateRow(fine, geography.river, line, row.river);
    if (pixelM < 40) {
      const jitter = row.jitter.fill(0);
      addNoiseRow(jitter, x, y, dx, dy, 46, JITTER_M, 303);
      for (let i = 0; i < columns; i += 1) {
        row.shore[i]! += jitter[i]!;
        row.river[i]! += jitter[i]!;
      }
    }
  }
  if ((shore || sea) && geography.anySea) addSwell(row.swell.fill(0), view, pixelM, x, y, dx, dy);
  return isMarshy;
}

/** Paints a line of pixels from the interpolated values. */
function layRow(
  row: GroundRow,
  canvas: Canvas,
  pixelM: number,
  { geography, kinds, any }: GroundNodes,
  view: View,
  line: number,
  isMarshy: boolean,
): void {
  const { stepPx } = geography.fine;
  const { columns } = canvas;
  const cells = Math.ceil(columns / stepPx);
  const firstCell = firstCellOf(geography, line);
  for (let cell = 0; cell < cells; cell += 1) {
    const from = cell * stepPx;
    let to = from + stepPx;
    const kind = kinds[firstCell + cell]!;
    // Neighbours of one kind are painted in one go.
    while (cell + 1 < cells && kinds[firstCell + cell + 1] === kind) {
      cell += 1;
      to += stepPx;
    }
    to = Math.min(to, columns);
    if (kind !== SEA) {
      layVegetation(canvas, row, view, line, from, to, any);
      if (isMarshy) layMarsh(canvas, row, line, from, to);
      if (kind === SHORE) layBeach(canvas, row, line, from, to);
      if (any.cold) laySnow(canvas, row, line, from, to);
    }
    if (kind !== DRY) layWater(canvas, row, view, pixelM, line, from, to);
  }
}

/** Waves come in from the open sea along one direction and are stretched across it. */
function addSwell(swell: Float32Array, view: View, pixelM: number, x: number, y: number, dx: number, dy: number): void {
  if (pixelM < 25) {
    addNoiseRow(
      swell,
      0.8 * x + 0.6 * y,
      3 * (0.8 * y - 0.6 * x) + view.waveM,
      0.8 * dx + 0.6 * dy,
      3 * (0.8 * dy - 0.6 * dx),
      90,
      0.7,
      304,
    );
  }
  addNoiseRow(swell, x + view.waveM, y, dx, dy, 1900, 0.8, 305);
}
