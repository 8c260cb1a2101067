import { opticalSensors, type TaskedSatellite } from "../tasking-sensors.ts";

/** By their numbers in the series C; their orbits are lowered from time to time. */
const SKYSATS_C = [41_601, 41_773, 41_774, 41_771, 41_772, 42_992, 42_991, 42_990, 42_989, 42_988, 42_987] as const;

export const skySatSensors = opticalSensors({
  maxOffNadirDeg: 30,
  swathKm: 8,
  latencyHours: 6,
  satellites: SKYSATS_C.map((catalogueNumber, index): TaskedSatellite => ({
    name: `SKYSAT-C${index + 1}`,
    catalogueNumber,
    meanMotionRevPerDay: null,
  })),
});
