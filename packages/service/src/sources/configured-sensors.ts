import type { SensorLimits } from "@swath/kernel/tasking/sensor-limits";
import type { DatasetDescriptor } from "../providers/provider.ts";
import { opticalTasking, radarTasking, type TaskingInfos } from "../providers/tasking-info.ts";
import { SETUP_GAP_S, type TaskingSensors } from "../providers/tasking-sensors.ts";
import type { SensorSettings } from "./catalogue-schema.ts";

const OPTICAL_MEMBERS = ["maxOffNadirDeg", "minSunElevationDeg"] as const;
const RADAR_MEMBERS = ["incidenceDeg", "lookSides", "dwellSeconds"] as const;
const MIN_SUN_ELEVATION_DEG = 15;
const DWELL_S = 10;
const LATENCY_HOURS = 6;

/** Faults of the sensors that a document names for a dataset, each beginning with its place below them. */
export function sensorFaults({ type }: Pick<DatasetDescriptor, "type">, settings: SensorSettings): readonly string[] {
  if (type === "probabilities" || type === "environmental") {
    return [`: a dataset of type "${type}" takes no orders, expected optical, sar-grd or sar-slc`];
  }
  const faults: string[] = [];
  const isOptical = type === "optical";
  for (const member of isOptical ? RADAR_MEMBERS : OPTICAL_MEMBERS) {
    if (settings[member] !== undefined) faults.push(`/${member}: not for a dataset of type "${type}"`);
  }
  const [min = 0, max = 90] = settings.incidenceDeg ?? [];
  if (isOptical && settings.maxOffNadirDeg === undefined) faults.push(': got no "maxOffNadirDeg"');
  if (!isOptical && settings.incidenceDeg === undefined) faults.push(': got no "incidenceDeg"');
  else if (min >= max) faults.push(`/incidenceDeg: got [${min}, ${max}], expected the least angle first`);
  const diagonalKm = Math.sqrt(2 * settings.preallocationAreaKm2);
  if (settings.swathKm < diagonalKm) {
    faults.push(
      `/swathKm: got ${settings.swathKm}, expected ${diagonalKm.toFixed(1)} at least, ` +
        `the diagonal of a square of ${settings.preallocationAreaKm2} km²`,
    );
  }
  const numbers = settings.satellites.map(({ catalogueNumber }) => catalogueNumber);
  const repeated = numbers.findIndex((number, index) => numbers.indexOf(number) < index);
  if (repeated >= 0) faults.push(`/satellites/${repeated}/catalogueNumber: ${numbers[repeated]} is named twice`);
  return faults;
}

/** A dataset whose orders the sensors of a document take. The settings have no fault. */
export function withSensors(dataset: DatasetDescriptor, settings: SensorSettings): DatasetDescriptor {
  const { preallocationAreaKm2, swathKm } = settings;
  const isOptical = dataset.type === "optical";
  const resolutionM = { min: dataset.resolutionM[0], max: dataset.resolutionM[1] };
  const standard = (isOptical ? opticalTasking : radarTasking)({ preallocationAreaKm2, resolutionM });
  const sensors: TaskingSensors = {
    mode: settings.mode ?? "standard",
    limits: limitsOf(isOptical, settings),
    swathKm,
    setupGapS: settings.setupGapSeconds ?? SETUP_GAP_S,
    latencyHours: settings.latencyHours ?? LATENCY_HOURS,
    satellites: settings.satellites.map(({ meanMotionRevPerDay = null, ...satellite }) => ({
      ...satellite,
      meanMotionRevPerDay,
    })),
  };
  return { ...dataset, sensors, taskingInfo: withArea(dataset.taskingInfo ?? standard, preallocationAreaKm2) };
}

function withArea(infos: TaskingInfos, preallocationAreaKm2: number): TaskingInfos {
  return Object.fromEntries(Object.entries(infos).map(([kind, info]) => [kind, { ...info, preallocationAreaKm2 }]));
}

function limitsOf(isOptical: boolean, settings: SensorSettings): SensorLimits {
  const { maxOffNadirDeg = 0, minSunElevationDeg = MIN_SUN_ELEVATION_DEG } = settings;
  if (isOptical) return { kind: "optical", maxOffNadirDeg, minSunElevationDeg };
  const { incidenceDeg: [minIncidenceDeg = 0, maxIncidenceDeg = 0] = [], dwellSeconds: dwellS = DWELL_S } = settings;
  return {
    kind: "radar",
    minIncidenceDeg,
    maxIncidenceDeg,
    lookSides: settings.lookSides ?? ["left", "right"],
    dwellS,
  };
}
