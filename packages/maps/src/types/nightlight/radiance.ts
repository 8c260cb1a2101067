import type { BlockAlgorithm } from "../../analysis/block.ts";

/** Cloud-free observations below which a monthly mean says little. */
const MIN_COVERAGE = 2;
/** Radiance below which a ratio is noise, nW cm⁻² sr⁻¹. */
const RADIANCE_FLOOR = 0.5;

/** Planes of a scene: radiance, and the number of cloud-free observations when the product has it. */
function seen(planes: readonly Float32Array[], i: number): number {
  const [radiance, coverage] = planes;
  return coverage !== undefined && coverage[i]! < MIN_COVERAGE ? Number.NaN : radiance![i]!;
}

/** Monthly mean radiance where it was seen often enough; negative values, which are noise around zero, are kept. */
export const nightRadiance: BlockAlgorithm = {
  compute({ rect, scenes }) {
    const radiance = new Float32Array(rect.columns * rect.rows);
    for (let i = 0; i < radiance.length; i++) radiance[i] = seen(scenes[0]!, i);
    return { layers: [radiance], objects: [] };
  },
};

/** Natural logarithm of the ratio of two months, later by earlier, both raised to the floor; 0.69 is a doubling. */
export const nightChange: BlockAlgorithm = {
  compute({ rect, scenes }) {
    const change = new Float32Array(rect.columns * rect.rows);
    for (let i = 0; i < change.length; i++) {
      const before = seen(scenes[0]!, i);
      const after = seen(scenes[1]!, i);
      change[i] = Math.log(atLeastFloor(after) / atLeastFloor(before));
    }
    return { layers: [change], objects: [] };
  },
};

function atLeastFloor(radiance: number): number {
  return Number.isNaN(radiance) ? Number.NaN : Math.max(radiance, RADIANCE_FLOOR);
}
