import { DEGREE } from "../geometry/wgs84.ts";
import { ecefOf } from "./geodetic.ts";
import { angleBetweenDeg, geodeticOf, upAt } from "./ground-point.ts";
import { cross, dot, normalized, subtract, type StateVector } from "./state-vector.ts";

/** How a satellite and a place on the ground see each other. Angles in degrees. */
export interface TargetGeometry {
  /** Between the satellite's geodetic nadir and the target. */
  readonly offNadirDeg: number;
  /** Elevation of the satellite above the horizon of the target; negative below it. */
  readonly elevationDeg: number;
  /** From the target's vertical: 90 less the elevation. */
  readonly incidenceDeg: number;
  /** Of the satellite as seen from the target, clockwise from north, 0 to 360. */
  readonly azimuthDeg: number;
  /** On which side of its ground track the satellite sees the target. */
  readonly lookSide: "left" | "right";
  readonly pass: "ascending" | "descending";
  readonly rangeM: number;
  /** Change of the distance, metres per second; zero at the closest approach, negative before it. */
  readonly rangeRateMs: number;
}

/** @see domain notes, "Feasibility by SGP4" */
export function targetGeometry(state: StateVector, lonDeg: number, latDeg: number, heightM = 0): TargetGeometry {
  const target = ecefOf(lonDeg, latDeg, heightM);
  const look = subtract(target, state.positionM);
  const rangeM = Math.hypot(...look);
  const below = geodeticOf(state.positionM);
  const zenith = upAt(below.lonDeg, below.latDeg);
  const nadir = [-zenith[0], -zenith[1], -zenith[2]] as const;
  const up = upAt(lonDeg, latDeg);
  const toSatellite = [-look[0], -look[1], -look[2]] as const;
  const elevationDeg = 90 - angleBetweenDeg(up, toSatellite);
  const east = [-Math.sin(lonDeg * DEGREE), Math.cos(lonDeg * DEGREE), 0] as const;
  const north = cross(up, east);
  const azimuthDeg = Math.atan2(dot(toSatellite, east), dot(toSatellite, north)) / DEGREE;
  const left = cross(normalized(state.velocityMs), nadir);
  return {
    offNadirDeg: angleBetweenDeg(nadir, look),
    elevationDeg,
    incidenceDeg: 90 - elevationDeg,
    azimuthDeg: (azimuthDeg + 360) % 360,
    lookSide: dot(left, look) > 0 ? "left" : "right",
    pass: state.velocityMs[2] > 0 ? "ascending" : "descending",
    rangeM,
    rangeRateMs: -dot(look, state.velocityMs) / rangeM,
  };
}
