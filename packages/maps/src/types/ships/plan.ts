import type { BandRole } from "@swath/kernel/bands/band-role";
import type { ShipParameters } from "./ships.ts";
import type { AnalysisPlan, WantedPlane } from "../../planning/analysis.ts";
import { firstScene, type PlannedScene } from "../../planning/planned-scene.ts";
import { pictureOfRadar, tooCoarse, unsupported } from "../../planning/refusals.ts";
import { isSentinel1, SENTINEL1_LOOKS } from "../../planning/sentinel1.ts";
import { isSentinel2, SENTINEL2_SECONDS } from "../../planning/sentinel2-times.ts";
import { flightDirections, sentinel1Ambiguities } from "./radar/radar-geometry.ts";

/** Coarser pixels hide all but the largest ships. */
export const MAX_RADAR_PIXEL_M = 40;
/** Finer pixels are averaged to about this. */
const RADAR_PIXEL_M = 7;
const OPTICAL_PIXEL_M = 2.5;
const RADAR_ROLES: readonly BandRole[] = ["VV", "VH", "HH", "HV"];
const OPTICAL_ROLES: readonly BandRole[] = ["B", "G", "R", "N"];
const MIN_OPTICAL_BANDS = 3;
/** Per pixel: a scene of Sentinel-1 with 4e8 pixels has some 40 false alarms by speckle before shapes are tested. */
const RADAR_FALSE_ALARM_RATE = 1e-7;
const OPTICAL_FALSE_ALARM_RATE = 1e-6;
/** IW GRDH: 20 m by 22 m (product definition of Sentinel-1). */
const SENTINEL1_RESOLUTION_M = 22;
/** Coarser pixels show a ship as a few points, which only the near infrared tells from shoals and foam. */
const MAX_COLOUR_PIXEL_M = 6;
/** Above ten metres, pixels of Sentinel-2 do not resolve the shift of a ship between its bands. */
const MAX_PARALLAX_PIXEL_M = 10.5;

interface OpticalClass {
  readonly className: "boats" | "ships";
  readonly lengthM: readonly [from: number, below: number | null];
  readonly maxPixelM: number;
}

/** Vessels from this length on are ships, shorter ones boats; metres. */
export const SHIP_LENGTH_M = 50;
/** Coarsest pixels that a boat is found in, metres. */
export const MAX_BOAT_PIXEL_M = 5;
const SHIPS: OpticalClass = { className: "ships", lengthM: [SHIP_LENGTH_M, null], maxPixelM: 30 };
const BOATS: OpticalClass = { className: "boats", lengthM: [0, SHIP_LENGTH_M], maxPixelM: MAX_BOAT_PIXEL_M };

/** By radar when a band is radar, else by sight; `parameters.mode` says which. */
export function planShips(scenes: readonly PlannedScene[]): AnalysisPlan<ShipParameters> {
  const planned = firstScene(scenes);
  const radar = positionsOf(planned, RADAR_ROLES);
  if (radar.length > 0) return planRadar(planned, radar);
  const optical = positionsOf(planned, OPTICAL_ROLES);
  if (optical.length >= MIN_OPTICAL_BANDS) return planOptical(planned, optical, SHIPS);
  return unsupported(
    `ships needs a radar band (${RADAR_ROLES.join(", ")}) or three of ${OPTICAL_ROLES.join(", ")}; scene ${planned.scene.sceneId} has neither`,
  );
}

/** Bands by role in the order of the roles; radar in decibels or power without a stated polarisation counts as the first. */
function positionsOf({ roles, raster }: PlannedScene, wanted: readonly BandRole[]): readonly number[] {
  const known = wanted.flatMap((role) => {
    const position = roles.indexOf(role);
    return position < 0 ? [] : [position];
  });
  if (known.length > 0 || wanted !== RADAR_ROLES) return known;
  const backscatter = raster.bands.findIndex(({ quantity }) => quantity.startsWith("backscatter"));
  return backscatter < 0 ? [] : [backscatter];
}

function pixelSizeM({ scene }: PlannedScene, position: number): readonly [number, number] {
  const { approximateResolutionX, approximateResolutionY } = scene.bands[position]!;
  return [approximateResolutionX, approximateResolutionY];
}

function planRadar(planned: PlannedScene, positions: readonly number[]): AnalysisPlan<ShipParameters> {
  const { scene } = planned;
  const refusal = pictureOfRadar("ships", [planned], () => positions);
  if (refusal !== null) return refusal;
  const gridPosition = positions[0]!;
  const [right, down] = pixelSizeM(planned, gridPosition);
  const nativeM = Math.max(right, down);
  if (!(nativeM <= MAX_RADAR_PIXEL_M)) return tooCoarse("ships", planned, nativeM, MAX_RADAR_PIXEL_M);
  const reduction = Math.max(1, Math.floor(RADAR_PIXEL_M / nativeM));
  const pixelM = nativeM * reduction;
  const fromSentinel1 = isSentinel1(scene);
  const isNative = fromSentinel1 && Math.abs(nativeM - 10) < 1.5;
  const parameters: ShipParameters = {
    mode: "radar",
    pixelM,
    resolutionM: fromSentinel1 ? Math.max(SENTINEL1_RESOLUTION_M, pixelM) : pixelM,
    falseAlarmRate: RADAR_FALSE_ALARM_RATE,
    looks: isNative ? SENTINEL1_LOOKS : null,
    flightDeg: flightDirections(scene),
    ambiguityM: fromSentinel1 ? sentinel1Ambiguities() : [],
    sizeM: [right * reduction, down * reduction],
  };
  return {
    accepted: true,
    gridPosition,
    reduction,
    planes: [positions.map((position): WantedPlane => ({ position, quantity: "power", resampling: "smooth" }))],
    parameters,
  };
}

/** Boats are too small for radar at ten metres; they are found by sight. */
export function planBoats(scenes: readonly PlannedScene[]): AnalysisPlan<ShipParameters> {
  const planned = firstScene(scenes);
  const optical = positionsOf(planned, OPTICAL_ROLES);
  if (optical.length >= MIN_OPTICAL_BANDS) return planOptical(planned, optical, BOATS);
  return unsupported(
    `boats needs three of the bands ${OPTICAL_ROLES.join(", ")}; scene ${planned.scene.sceneId} has ${optical.length}`,
  );
}

function planOptical(
  planned: PlannedScene,
  positions: readonly number[],
  { className, lengthM, maxPixelM }: OpticalClass,
): AnalysisPlan<ShipParameters> {
  const { scene, raster, roles } = planned;
  const finest = positions.toSorted((a, b) => pixelSizeM(planned, a)[0] - pixelSizeM(planned, b)[0])[0]!;
  const nativeM = Math.max(...pixelSizeM(planned, finest));
  if (!(nativeM <= maxPixelM)) return tooCoarse(className, planned, nativeM, maxPixelM);
  if (nativeM > MAX_COLOUR_PIXEL_M && !positions.some((position) => roles[position] === "N")) {
    return unsupported(
      `${className} in pixels coarser than ${MAX_COLOUR_PIXEL_M} m needs near infrared, which tells ships from shoals and foam; scene ${scene.sceneId} has ${nativeM.toFixed(1)} m and no such band`,
    );
  }
  const reduction = Math.max(1, Math.floor(OPTICAL_PIXEL_M / nativeM));
  const parameters: ShipParameters = {
    mode: "optical",
    className,
    lengthM,
    pixelM: nativeM * reduction,
    roles: positions.map((position) => roles[position]!),
    isReflectance: positions.every((position) => raster.bands[position]!.quantity === "reflectance"),
    falseAlarmRate: OPTICAL_FALSE_ALARM_RATE,
    ...(isSentinel2(scene) && className === "ships" && nativeM <= MAX_PARALLAX_PIXEL_M
      ? { parallaxS: SENTINEL2_SECONDS }
      : {}),
  };
  return {
    accepted: true,
    gridPosition: finest,
    reduction,
    planes: [positions.map((position): WantedPlane => ({ position, quantity: "reflectance", resampling: "smooth" }))],
    parameters,
  };
}
