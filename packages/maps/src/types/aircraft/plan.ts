import type { FlightParameters } from "./aircraft-in-flight.ts";
import type { AircraftParameters } from "./detect-aircraft.ts";
import type { BandRole } from "@swath/kernel/bands/band-role";
import type { AnalysisPlan, WantedPlane } from "../../planning/analysis.ts";
import { fineColourPlan } from "../../planning/fine-colour-plan.ts";
import { firstScene, resolutionM, type PlannedScene } from "../../planning/planned-scene.ts";
import { isSentinel2, SENTINEL2_SECONDS } from "../../planning/sentinel2-times.ts";

const MAX_PIXEL_M = 3.5;
/** An airliner of 35 m then has up to 29 pixels, which is all that its outline needs. */
const FINEST_PIXEL_M = 1.2;
/** Coarsest pixels of Sentinel-2 in which aircraft in flight are looked for. */
export const FLIGHT_PIXEL_M = 10.5;
const COLOURS: readonly BandRole[] = ["B", "G", "R"];

/** On the ground in fine images, in flight in Sentinel-2 images. */
export function planAircraft(scenes: readonly PlannedScene[]): AnalysisPlan<AircraftParameters> {
  return (
    planFlight(firstScene(scenes)) ??
    fineColourPlan({ mapType: "aircraft", maxPixelM: MAX_PIXEL_M, finestPixelM: FINEST_PIXEL_M }, scenes)
  );
}

function planFlight(planned: PlannedScene): AnalysisPlan<FlightParameters> | null {
  const positions = COLOURS.map((role) => planned.roles.indexOf(role));
  const gridPosition = planned.roles.indexOf("R");
  if (!isSentinel2(planned.scene) || positions.includes(-1)) return null;
  const pixelM = resolutionM(planned, gridPosition);
  if (!(pixelM > MAX_PIXEL_M && pixelM <= FLIGHT_PIXEL_M)) return null;
  return {
    accepted: true,
    gridPosition,
    reduction: 1,
    planes: [positions.map((position): WantedPlane => ({ position, quantity: "reflectance", resampling: "smooth" }))],
    parameters: { mode: "flight", pixelM, parallaxS: SENTINEL2_SECONDS },
  };
}
