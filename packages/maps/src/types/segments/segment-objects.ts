import { pixelsRectangle } from "@swath/kernel/raster-mathematics/min-area-rectangle";
import type { AnalysisBlock, FoundObject } from "../../analysis/block.ts";
import { NO_SEED } from "./cluster-pixels.ts";
import { segmentProperties, type SegmentSums } from "./segment-properties.ts";

/**
 * Segments whose middle lies in the core.
 *
 * @param rect where the pixels of `segments` lie in the grid
 * @param numberOf number of a segment in the scene
 */
export function segmentObjects(
  { rect, core, ground }: Pick<AnalysisBlock, "rect" | "core" | "ground">,
  segments: Int32Array,
  sums: SegmentSums,
  numberOf: (segment: number) => number,
): readonly FoundObject[] {
  const centres = new Map<number, readonly [number, number]>();
  const [right, below] = [core.column + core.columns, core.row + core.rows];
  for (let segment = 0; segment < sums.count.length; segment++) {
    const count = sums.count[segment]!;
    if (count === 0) continue;
    // Sums of places in the grid, not in the block: the same to the last digit in every block.
    const column = (sums.columns[segment]! + count * rect.column) / count + 0.5;
    const row = (sums.rows[segment]! + count * rect.row) / count + 0.5;
    if (column >= core.column && column < right && row >= core.row && row < below) centres.set(segment, [column, row]);
  }
  const members = membersOf(segments, sums.count, centres);
  const objects: FoundObject[] = [];
  for (const [segment, centre] of centres) {
    const rectangle = pixelsRectangle(members.get(segment)!, rect.columns);
    objects.push({
      className: "segment",
      centre,
      corners: rectangle.corners.map(([x, y]) => [x + rect.column, y + rect.row] as const),
      areaM2: sums.count[segment]! * ground.metresPerPixelX * ground.metresPerPixelY,
      count: 1,
      confidence: 1,
      properties: { segment: numberOf(segment), ...segmentProperties(sums, segment, ground) },
    });
  }
  return objects;
}

function membersOf(
  segments: Int32Array,
  counts: Float64Array,
  wanted: ReadonlyMap<number, unknown>,
): ReadonlyMap<number, Int32Array> {
  const members = new Map<number, Int32Array>();
  for (const segment of wanted.keys()) members.set(segment, new Int32Array(counts[segment]!));
  const filled = new Int32Array(counts.length);
  for (let i = 0; i < segments.length; i++) {
    const list = segments[i] === NO_SEED ? undefined : members.get(segments[i]!);
    if (list !== undefined) list[filled[segments[i]!]!++] = i;
  }
  return members;
}
