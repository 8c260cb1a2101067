import type { BlockAlgorithm } from "../../analysis/block.ts";

/** Parameters of rates and their sums. */
export interface RainParameters {
  /** Duration of each scene. */
  readonly hoursPerScene: number;
}

/**
 * Rates as they were measured, mm/h. The first plane is preferred (gauge-adjusted), the second fills its gaps; negative
 * rates are no data. One scene gives the rate, several give what fell over all of them, each standing for `hours`.
 */
export const rainRate: BlockAlgorithm<RainParameters> = {
  compute({ rect, scenes }, _model, { hoursPerScene: hours }) {
    const count = rect.columns * rect.rows;
    const total = new Float32Array(count);
    for (const [preferred, second] of scenes) {
      for (let i = 0; i < count; i++) {
        const first = preferred![i]!;
        const value = first >= 0 ? first : (second?.[i] ?? Number.NaN);
        total[i] = value >= 0 ? total[i]! + value * hours : Number.NaN;
      }
    }
    return { layers: [total], objects: [] };
  },
};
