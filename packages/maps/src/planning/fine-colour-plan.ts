import type { BandRole } from "@swath/kernel/bands/band-role";
import type { AnalysisPlan, WantedPlane } from "./analysis.ts";
import { firstScene, resolutionM, type PlannedScene } from "./planned-scene.ts";
import { lacksBands, tooCoarse } from "./refusals.ts";

const VISIBLE: readonly BandRole[] = ["B", "G", "R"];
const INFRARED: readonly BandRole[] = ["N", "N2"];

/** Input of a detector of small objects. */
export interface FineColour {
  readonly mapType: string;
  /** Coarser pixels are refused, metres. */
  readonly maxPixelM: number;
  /** Pixels that are finer by a whole number of times are averaged, so that they are not finer than this. */
  readonly finestPixelM: number;
}

/** Parameters of such a detector. Planes are blue, green, red and, when `hasNir`, near infrared. */
export interface FineColourParameters {
  readonly hasNir: boolean;
  /** Pixel of the grid, metres. */
  readonly pixelM: number;
}

/**
 * The plan of a detector that looks at colours of fine pixels: blue, green, red and near infrared where there is one, on
 * the grid of the red band. Pictures without calibration do as well as reflectance.
 */
export function fineColourPlan(
  { mapType, maxPixelM, finestPixelM }: FineColour,
  scenes: readonly PlannedScene[],
): AnalysisPlan<FineColourParameters> {
  const planned = firstScene(scenes);
  const { roles } = planned;
  const missing = VISIBLE.filter((role) => !roles.includes(role));
  if (missing.length > 0) return lacksBands(mapType, planned, VISIBLE, missing);
  const gridPosition = roles.indexOf("R");
  const nativeM = resolutionM(planned, gridPosition);
  if (!(nativeM <= maxPixelM)) return tooCoarse(mapType, planned, nativeM, maxPixelM);
  const infrared = INFRARED.map((role) => roles.indexOf(role)).find((position) => position >= 0);
  const positions = [...VISIBLE.map((role) => roles.indexOf(role)), ...(infrared === undefined ? [] : [infrared])];
  const reduction = Math.max(1, Math.ceil(finestPixelM / nativeM - 1e-6));
  return {
    accepted: true,
    gridPosition,
    reduction,
    planes: [positions.map((position): WantedPlane => ({ position, quantity: "reflectance", resampling: "smooth" }))],
    parameters: { hasNir: infrared !== undefined, pixelM: Number((nativeM * reduction).toFixed(4)) },
  };
}
