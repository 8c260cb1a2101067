import type { SensorLimits } from "@swath/kernel/tasking/sensor-limits";
import type { DatasetDescriptor } from "../../providers/provider.ts";

/** The limits of the sensors of a dataset. */
export function sensorOf({ type }: Pick<DatasetDescriptor, "type">): SensorLimits {
  if (type === "optical") return { kind: "optical", maxOffNadirDeg: 30, minSunElevationDeg: 15 };
  return { kind: "radar", minIncidenceDeg: 15, maxIncidenceDeg: 45, lookSides: ["left", "right"], dwellS: 10 };
}
