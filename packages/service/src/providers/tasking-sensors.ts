import type { OpticalLimits, RadarLimits, SensorLimits } from "@swath/kernel/tasking/sensor-limits";

/** A satellite that takes orders for a dataset. */
export interface TaskedSatellite {
  readonly name: string;
  /** Number of the satellite catalogue, by which its element sets are imported. */
  readonly catalogueNumber: number;
  /** Revolutions per day; null for a satellite whose orbit is lowered or decays. */
  readonly meanMotionRevPerDay: number | null;
}

/** The sensors that take orders for a dataset. */
export interface TaskingSensors {
  /** Imaging mode, as contracts name it. */
  readonly mode: string;
  readonly limits: SensorLimits;
  /** Of the image of one pass, across the track. */
  readonly swathKm: number;
  /** Between the end of one image and the beginning of the next of one satellite, seconds. */
  readonly setupGapS: number;
  /** From a capture to its publication. */
  readonly latencyHours: number;
  /** Real ones. Empty where only the configuration names them. */
  readonly satellites: readonly TaskedSatellite[];
}

export const SETUP_GAP_S = 30;
const MIN_SUN_ELEVATION_DEG = 15;
const DWELL_S = 10;

/** An agile optical sensor: it images by day, anywhere within an angle from nadir. */
export function opticalSensors({
  maxOffNadirDeg,
  ...rest
}: Pick<OpticalLimits, "maxOffNadirDeg"> &
  Pick<TaskingSensors, "swathKm" | "latencyHours"> &
  Partial<Pick<TaskingSensors, "satellites">>): TaskingSensors {
  return {
    mode: "standard",
    limits: { kind: "optical", maxOffNadirDeg, minSunElevationDeg: MIN_SUN_ELEVATION_DEG },
    setupGapS: SETUP_GAP_S,
    satellites: [],
    ...rest,
  };
}

/** A radar that looks to both sides. */
export function radarSensors({
  minIncidenceDeg,
  maxIncidenceDeg,
  ...rest
}: Pick<RadarLimits, "minIncidenceDeg" | "maxIncidenceDeg"> &
  Pick<TaskingSensors, "mode" | "swathKm" | "latencyHours"> &
  Partial<Pick<TaskingSensors, "satellites">>): TaskingSensors {
  return {
    limits: { kind: "radar", minIncidenceDeg, maxIncidenceDeg, lookSides: ["left", "right"], dwellS: DWELL_S },
    setupGapS: SETUP_GAP_S,
    satellites: [],
    ...rest,
  };
}
