import type { BandRole } from "@swath/kernel/bands/band-role";
import type { AnalysisPlan, PlannedScene, WantedPlane } from "./analysis.ts";
import { resolutionM } from "./optical-plan.ts";

const VISIBLE: readonly BandRole[] = ["B", "G", "R"];

/** What a detector of small objects works on. */
export interface FineColour {
  readonly mapType: string;
  /** Coarser pixels are refused, metres. */
  readonly maxPixelM: number;
  /** Pixels that are finer by a whole number of times are averaged, so that they are not finer than this. */
  readonly finestPixelM: number;
}

/**
 * The plan of a detector that looks at colours of fine pixels: blue, green, red and near infrared where there is one, on
 * the grid of the red band. Pictures without calibration do as well as reflectance.
 */
export function fineColourPlan(
  { mapType, maxPixelM, finestPixelM }: FineColour,
  [planned]: readonly PlannedScene[],
): AnalysisPlan {
  if (planned === undefined) throw new RangeError("an analysis needs a scene");
  const { scene, roles } = planned;
  const missing = VISIBLE.filter((role) => !roles.includes(role));
  if (missing.length > 0) {
    return {
      accepted: false,
      errorCode: "UNSUPPORTED-IMAGERY",
      errorMessage: `${mapType} needs the bands ${VISIBLE.join(", ")}; scene ${scene.sceneId} lacks ${missing.join(", ")}`,
    };
  }
  const gridPosition = roles.indexOf("R");
  const nativeM = resolutionM(planned, gridPosition);
  if (!(nativeM <= maxPixelM)) {
    return {
      accepted: false,
      errorCode: "GSD-TOO-COARSE",
      errorMessage: `${mapType} needs pixels of at most ${maxPixelM} m; scene ${scene.sceneId} has ${nativeM.toFixed(2)} m`,
    };
  }
  const nir = ["N", "N2"] as const;
  const infrared = nir.map((role) => roles.indexOf(role)).find((position) => position >= 0);
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
