import type { AnalysisBlock } from "../../../analysis/block.ts";

/** Something bright enough for the radar to repeat it elsewhere in the image. */
export interface BrightTarget {
  /** In pixels of the grid. */
  readonly centre: readonly [column: number, row: number];
  /** Radar cross-section, dB above a square metre. */
  readonly crossSectionDbm2: number;
  /** How far it may be from there, pixels of the grid. */
  readonly reachPx: number;
}

const MAX_TARGETS = 3000;
/** Side of the squares that count as one target: a large ship, a row of cranes. */
const SIDE_M = 120;
/** Least cross-section: an ambiguity 20 dB below it would be as bright as a boat. */
const LEAST_DBM2 = 45;

/** The brightest squares of the overview, land and sea, of the first plane; so they are the same for every block. */
export function brightTargets({ scenes, rect, ground }: AnalysisBlock, stepPx: number): readonly BrightTarget[] {
  const power = scenes[0]![0]!;
  const areaM2 = ground.metresPerPixelX * ground.metresPerPixelY;
  const side = Math.max(1, Math.round(SIDE_M / Math.sqrt(areaM2)));
  const columns = Math.ceil(rect.columns / side);
  const sections = new Float64Array(columns * Math.ceil(rect.rows / side));
  for (let row = 0; row < rect.rows; row++) {
    const line = Math.floor(row / side) * columns;
    for (let column = 0; column < rect.columns; column++) {
      const value = power[row * rect.columns + column]!;
      if (value > 0) sections[line + Math.floor(column / side)]! += value * areaM2;
    }
  }
  const least = 10 ** (LEAST_DBM2 / 10);
  const found = [...sections.keys()].filter((i) => sections[i]! > least);
  const kept = found.toSorted((a, b) => sections[b]! - sections[a]! || a - b).slice(0, MAX_TARGETS);
  return kept.map((i) => {
    const row = Math.floor(i / columns);
    return {
      centre: [(i - row * columns + 0.5) * side * stepPx, (row + 0.5) * side * stepPx],
      crossSectionDbm2: 10 * Math.log10(sections[i]!),
      reachPx: (side * stepPx) / 2,
    };
  });
}
