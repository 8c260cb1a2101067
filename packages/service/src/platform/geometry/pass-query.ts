import type { AreaGeometry, Point } from "@swath/kernel/geometry/geojson";
import { propagatorOfElementSet, type ElementSet } from "@swath/kernel/orbits/element-set";
import { areaSamples, type AreaSamples } from "@swath/kernel/tasking/area-samples";
import { windowsOfSamples } from "@swath/kernel/tasking/area-windows";
import type { PassWindow } from "@swath/kernel/tasking/pass-window";
import type { SensorLimits } from "@swath/kernel/tasking/sensor-limits";

/** A satellite with a sensor, as plain data. */
export interface QueriedSatellite {
  readonly elements: ElementSet;
  readonly limits: SensorLimits;
  readonly swathKm: number;
  readonly setupGapS: number;
}

/** An area and the satellites that may image it within an interval, milliseconds since 1970, UTC. */
export interface PassQuery {
  readonly satellites: readonly QueriedSatellite[];
  readonly area: Point | AreaGeometry;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A satellite whose windows cannot be computed: its elements are too old, or its orbit has decayed by then. */
export interface FailedSatellite {
  readonly name: string;
  readonly catalogueNumber: number;
  readonly message: string;
}

export interface PassAnswer {
  readonly windows: readonly PassWindow[];
  readonly failed: readonly FailedSatellite[];
}

/**
 * Windows of all satellites; those that cannot be followed are named.
 *
 * @throws {RangeError} when the area is empty or longer than 2,000 km
 */
export function answerPasses({ satellites, area, fromMs, toMs }: PassQuery): PassAnswer {
  const samples = new Map<number, AreaSamples>();
  const windows: PassWindow[] = [];
  const failed: FailedSatellite[] = [];
  for (const { elements, ...sensor } of satellites) {
    const { name, catalogueNumber, epochMs: elementsEpochMs } = elements;
    const ofSwath = samples.get(sensor.swathKm) ?? areaSamples(area, sensor.swathKm);
    samples.set(sensor.swathKm, ofSwath);
    try {
      const propagate = propagatorOfElementSet(elements);
      windows.push(
        ...windowsOfSamples({ name, catalogueNumber, elementsEpochMs, propagate, ...sensor }, ofSwath, fromMs, toMs),
      );
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      failed.push({ name, catalogueNumber, message: error.message });
    }
  }
  return { windows, failed };
}
