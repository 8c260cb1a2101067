import type { RadarParameters } from "../analysis/radar/radar-block.ts";
import type { BandRole } from "@swath/kernel/bands/band-role";
import { powerPerUnit } from "@swath/kernel/bands/radiometry";
import type { AnalysisPlan, WantedPlane } from "./analysis.ts";
import { firstScene, resolutionM, type PlannedScene } from "./planned-scene.ts";
import { lacksOneOf, pictureOfRadar } from "./refusals.ts";
import { SENTINEL1_LOOKS } from "./sentinel1.ts";

const PAIRS: readonly (readonly [copol: BandRole, cross: BandRole])[] = [
  ["VV", "VH"],
  ["HH", "HV"],
];

/** The plan of an analysis of backscatter: the co-polarised band, then the cross-polarised one where there is one. */
export function radarPlan(mapType: string, scenes: readonly PlannedScene[]): AnalysisPlan<RadarParameters> {
  const planned = firstScene(scenes);
  const { roles, raster } = planned;
  for (const [copol, cross] of PAIRS) {
    const first = roles.indexOf(copol);
    if (first < 0) continue;
    const second = roles.indexOf(cross);
    const positions = second < 0 ? [first] : [first, second];
    const refusal = pictureOfRadar(mapType, [planned], () => positions);
    if (refusal !== null) return refusal;
    return {
      accepted: true,
      gridPosition: first,
      reduction: 1,
      planes: [positions.map((position): WantedPlane => ({ position, quantity: "power", resampling: "smooth" }))],
      parameters: {
        hasCross: second >= 0,
        powerScales: positions.map((position) => powerPerUnit(raster.bands[position]!)),
        gsdM: resolutionM(planned, first),
        // Close enough for other ground-range products.
        looks: SENTINEL1_LOOKS,
      },
    };
  }
  return lacksOneOf(
    mapType,
    planned,
    PAIRS.map(([copol]) => copol),
  );
}
