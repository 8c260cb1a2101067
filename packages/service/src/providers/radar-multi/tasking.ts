import { radarSensors, type TaskingSensors } from "../tasking-sensors.ts";

/** Look angles of 15 to 40 degrees, of a stripmap to 45, from orbits of 525 km. */
const MODES: Readonly<Record<string, { readonly maxIncidenceDeg: number; readonly swathKm: number }>> = {
  sliding_spotlight: { maxIncidenceDeg: 44, swathKm: 10.5 },
  spotlight: { maxIncidenceDeg: 44, swathKm: 7.5 },
  stripmap: { maxIncidenceDeg: 50, swathKm: 15 },
};

/** @throws {RangeError} for a mode that there is not */
export function sensorsOfMode(mode: string): TaskingSensors {
  const own = MODES[mode];
  if (own === undefined) throw new RangeError(`no mode "${mode}", expected one of ${Object.keys(MODES).join(", ")}`);
  return radarSensors({ mode, minIncidenceDeg: 16, latencyHours: 3, ...own });
}
