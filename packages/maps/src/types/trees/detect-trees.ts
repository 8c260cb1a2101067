import type { AnalysisBlock, BlockAlgorithm, BlockResult, FoundObject } from "../../analysis/block.ts";
import { boxMean } from "../../analysis/shape/box-mean.ts";
import type { FineColourParameters } from "../../planning/fine-colour-plan.ts";
import { pixelsRectangle } from "@swath/kernel/raster-mathematics/min-area-rectangle";
import { canopyOf, surveyCanopy, type Canopy, type CanopyModel } from "./canopy.ts";
import { crownBlobs, type Blob } from "./crown-blobs.ts";

/** Values of the class layer. */
export const TREE_VALUE = 1;
export const OTHER_VALUE = 2;

export interface TreeParameters extends FineColourParameters {
  /** Degrees clockwise from north; null when unknown. */
  readonly sunAzimuthDeg: number | null;
}

/** Gaps between crowns are darker than their tops: what share of a crown's weight is its brightness. */
const BRIGHTNESS_WEIGHT = 0.6;
/** Tops are by so much brighter than the mean of the canopy around. */
const TOP = 1.3;
const AROUND_M = 8;
/** Twigs and leaves are not told apart. */
const SMOOTH_M = 1;
/** A crown's pixels reach a little beyond the radius of the spot. */
const CROWN_REACH = 1.15;
/** Share of the disc that is canopy. */
const LEAST_FILLED = 0.45;
/** Shadows are looked for from the edge of the crown to one more radius beyond it. */
const SHADOW = { samples: 5, darker: 0.62 } as const;
const MOST_CONFIDENCE = { nir: 0.6, rgb: 0.35 } as const;

/**
 * Crowns of trees: round spots of what grows and is darker than lawns in visible light or rough, at the scale at which
 * they answer most.
 */
export const detectTrees: BlockAlgorithm<TreeParameters, CanopyModel> = {
  survey: (survey, parameters) => surveyCanopy(survey, parameters.hasNir),
  compute: detect,
  describe: ({ growsFrom, brightVisible }) => ({
    vegetationFrom: Number(growsFrom.toFixed(3)),
    brightVegetation: Number.isNaN(brightVisible) ? null : Number(brightVisible.toPrecision(4)),
  }),
};

function detect(block: AnalysisBlock, model: CanopyModel, parameters: TreeParameters): BlockResult {
  const { rect, ground } = block;
  const { columns, rows } = rect;
  const { metresPerPixelX, metresPerPixelY } = ground;
  const canopy = canopyOf(block, model, parameters.hasNir);
  const field = fieldOf(canopy, columns, rows, Math.sqrt(metresPerPixelX * metresPerPixelY));
  const blobs = crownBlobs(field, columns, rows, metresPerPixelX, metresPerPixelY);
  const owners = ownersOf(canopy, blobs, block);
  const layer = new Uint8Array(columns * rows);
  for (let i = 0; i < layer.length; i++) layer[i] = canopy.valid[i] === 1 ? OTHER_VALUE : 0;
  const objects: FoundObject[] = [];
  const pixelM2 = metresPerPixelX * metresPerPixelY;
  for (const [index, members] of membersOf(owners, blobs.length).entries()) {
    const blob = blobs[index]!;
    const filled = (members.length * pixelM2) / (Math.PI * blob.radiusM ** 2);
    if (filled < LEAST_FILLED) continue;
    for (const at of members) layer[at] = TREE_VALUE;
    objects.push(crownOf(blob, members, filled, canopy, block, parameters));
  }
  return { layers: [layer], objects };
}

/** 0 beside the canopy; in it, more the nearer it is to the brightness of tops around. */
function fieldOf({ set, leaves }: Canopy, columns: number, rows: number, metresPerPixel: number): Float32Array {
  const radius = Math.max(2, Math.round(AROUND_M / metresPerPixel));
  const lit = Float32Array.from(leaves, (value, i) => (set[i] === 1 ? value : Number.NaN));
  const around = boxMean(lit, columns, rows, radius);
  const smooth = boxMean(lit, columns, rows, Math.max(1, Math.round(SMOOTH_M / metresPerPixel)));
  const field = new Float32Array(set.length);
  for (let i = 0; i < field.length; i++) {
    if (set[i] === 0) continue;
    const top = Math.min(1, smooth[i]! / (TOP * around[i]!));
    field[i] = 1 - BRIGHTNESS_WEIGHT + BRIGHTNESS_WEIGHT * top;
  }
  return field;
}

/** To which spot each pixel of the canopy belongs, by distance in radii; -1 for none. */
function ownersOf({ set }: Canopy, blobs: readonly Blob[], { rect, ground }: AnalysisBlock): Int32Array {
  const { columns, rows } = rect;
  const { metresPerPixelX, metresPerPixelY } = ground;
  const owners = new Int32Array(columns * rows).fill(-1);
  const nearest = new Float32Array(columns * rows).fill(CROWN_REACH);
  for (const [index, { column, row, radiusM }] of blobs.entries()) {
    const across = Math.ceil((CROWN_REACH * radiusM) / metresPerPixelX);
    const down = Math.ceil((CROWN_REACH * radiusM) / metresPerPixelY);
    const [middleX, middleY] = [Math.floor(column), Math.floor(row)];
    for (let y = Math.max(0, middleY - down); y <= Math.min(rows - 1, middleY + down); y++) {
      for (let x = Math.max(0, middleX - across); x <= Math.min(columns - 1, middleX + across); x++) {
        const at = y * columns + x;
        if (set[at] === 0) continue;
        const apart = Math.hypot((x + 0.5 - column) * metresPerPixelX, (y + 0.5 - row) * metresPerPixelY) / radiusM;
        if (apart >= nearest[at]!) continue;
        nearest[at] = apart;
        owners[at] = index;
      }
    }
  }
  return owners;
}

function membersOf(owners: Int32Array, count: number): readonly (readonly number[])[] {
  const members = Array.from({ length: count }, (): number[] => []);
  for (let at = 0; at < owners.length; at++) if (owners[at]! >= 0) members[owners[at]!]!.push(at);
  return members;
}

function crownOf(
  blob: Blob,
  members: readonly number[],
  filled: number,
  canopy: Canopy,
  { rect, ground }: AnalysisBlock,
  { hasNir, sunAzimuthDeg }: TreeParameters,
): FoundObject {
  const areaM2 = members.length * ground.metresPerPixelX * ground.metresPerPixelY;
  const { corners } = pixelsRectangle(members, rect.columns);
  const shaded = sunAzimuthDeg === null ? 0 : shadowShare(blob, canopy, rect, ground, sunAzimuthDeg);
  const sure = 0.2 + 0.3 * Math.min(1, blob.response / 0.6) + 0.1 * Math.min(1, filled) + 0.15 * shaded;
  return {
    className: "trees",
    centre: [rect.column + blob.column, rect.row + blob.row],
    corners: corners.map(([x, y]) => [rect.column + x, rect.row + y] as const),
    areaM2,
    count: 1,
    confidence: hasNir ? Math.min(MOST_CONFIDENCE.nir, sure) : Math.min(MOST_CONFIDENCE.rgb, 0.6 * sure),
    properties: { crownDiameterM: Number((2 * Math.sqrt(areaM2 / Math.PI)).toFixed(1)) },
  };
}

/** Share of places just beyond the side away from the sun that are much darker than the crown's own surroundings. */
function shadowShare(
  { column, row, radiusM }: Blob,
  { visible, set }: Canopy,
  { columns, rows }: AnalysisBlock["rect"],
  { metresPerPixelX, metresPerPixelY, northDeg }: AnalysisBlock["ground"],
  sunAzimuthDeg: number,
): number {
  const sampled = (turnDeg: number): readonly (number | null)[] => {
    const angle = ((sunAzimuthDeg + turnDeg - northDeg) * Math.PI) / 180;
    return Array.from({ length: SHADOW.samples }, (_, k) => {
      const at = radiusM * (1.15 + (0.85 * k) / (SHADOW.samples - 1));
      const x = Math.floor(column + (Math.sin(angle) * at) / metresPerPixelX);
      const y = Math.floor(row - (Math.cos(angle) * at) / metresPerPixelY);
      if (x < 0 || y < 0 || x >= columns || y >= rows || set[y * columns + x] === 1) return null;
      const value = visible[y * columns + x]!;
      return value === value ? value : null;
    });
  };
  const lit = sampled(0).filter((value) => value !== null);
  if (lit.length === 0) return 0;
  const limit = (SHADOW.darker * lit.reduce((sum, value) => sum + value, 0)) / lit.length;
  return sampled(180).filter((value) => value !== null && value < limit).length / SHADOW.samples;
}
