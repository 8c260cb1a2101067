import type { RadarParameters } from "@swath/kernel/analysis/radar/radar-block";
import type { BandRole } from "@swath/kernel/bands/band-role";
import { powerPerUnit } from "@swath/kernel/bands/radiometry";
import type { AnalysisPlan, PlannedScene, WantedPlane } from "./analysis.ts";
import { resolutionM } from "./optical-plan.ts";

/** Looks of Sentinel-1 IW GRDH; close enough for other ground-range products. */
const LOOKS = 4.4;
const PAIRS: readonly (readonly [copol: BandRole, cross: BandRole])[] = [
  ["VV", "VH"],
  ["HH", "HV"],
];

/** The plan of an analysis of backscatter: the co-polarised band, then the cross-polarised one where there is one. */
export function radarPlan(mapType: string, scenes: readonly PlannedScene[]): AnalysisPlan {
  const planned = scenes[0]!;
  const { roles, scene, raster } = planned;
  for (const [copol, cross] of PAIRS) {
    const first = roles.indexOf(copol);
    if (first < 0) continue;
    const second = roles.indexOf(cross);
    const positions = second < 0 ? [first] : [first, second];
    return {
      accepted: true,
      gridPosition: first,
      reduction: 1,
      planes: [positions.map((position): WantedPlane => ({ position, quantity: "power", resampling: "smooth" }))],
      parameters: {
        hasCross: second >= 0,
        powerScales: positions.map((position) => powerPerUnit(raster.bands[position]!)),
        gsdM: resolutionM(planned, first),
        looks: LOOKS,
      } satisfies RadarParameters,
    };
  }
  return {
    accepted: false,
    errorCode: "UNSUPPORTED-IMAGERY",
    errorMessage: `${mapType} needs the band VV or HH; scene ${scene.sceneId} has neither`,
  };
}
