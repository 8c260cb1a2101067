import { opticalSensors } from "../tasking-sensors.ts";

/** An operator names the satellites of the contract in the catalogue file. */
export const newSatSensors = opticalSensors({ maxOffNadirDeg: 25, swathKm: 7.5, latencyHours: 12 });
