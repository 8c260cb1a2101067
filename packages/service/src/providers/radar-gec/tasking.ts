import { radarSensors } from "../tasking-sensors.ts";

/** Grazing angles of 30 to 70 degrees. */
export const spotlightGecSensors = radarSensors({
  mode: "spotlight",
  minIncidenceDeg: 20,
  maxIncidenceDeg: 60,
  swathKm: 7.5,
  latencyHours: 4,
});
