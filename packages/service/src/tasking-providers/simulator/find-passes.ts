import { setImmediate as nextTurn } from "node:timers/promises";
import { centroid } from "@swath/kernel/geometry/centroid";
import type { Polygon } from "@swath/kernel/geometry/geojson";
import type { OrbitingSatellite, OrbitSource } from "@swath/kernel/orbits/orbit-source";
import { propagatorOfElements } from "@swath/kernel/orbits/sgp4";
import type { SensorLimits } from "@swath/kernel/tasking/sensor-limits";
import { targetWindows, type TargetWindow } from "@swath/kernel/tasking/target-windows";
import type { OfferedWindow } from "../tasking-provider.ts";

/** An area and the sensors that may image it. */
export interface PassQuery {
  readonly provider: string;
  readonly dataset: string;
  readonly geometry: Polygon;
  readonly fromMs: number;
  readonly toMs: number;
  readonly limits: SensorLimits;
  readonly mode: string;
  /** The elements of the satellites are the newest ones of this moment. */
  readonly elementsMs: number;
}

const DAY_MS = 86_400_000;
/** A satellite is followed for so long without a pause: some 10 ms. */
const PIECE_MS = 2 * DAY_MS;
/** Growth of the error along the track, seconds per day. */
const UNCERTAINTY_S_PER_DAY = 0.05;

/** Passes of the simulated satellites over the middle of an area, ascending. Between pieces other work goes on. */
export async function findPasses(
  orbits: Pick<OrbitSource, "satellites">,
  query: PassQuery,
  signal: AbortSignal,
): Promise<readonly OfferedWindow[]> {
  const satellites = await orbits.satellites(query.provider, query.dataset, query.elementsMs);
  const [lonDeg, latDeg] = centroid({ type: "MultiPolygon", coordinates: [query.geometry.coordinates] });
  const found: OfferedWindow[] = [];
  for (const satellite of satellites) {
    const propagate = propagatorOfElements(satellite.elements);
    for (let fromMs = query.fromMs; fromMs < query.toMs; fromMs += PIECE_MS) {
      await nextTurn(undefined, { signal });
      const toMs = Math.min(fromMs + PIECE_MS, query.toMs);
      for (const window of targetWindows(propagate, { lonDeg, latDeg }, query.limits, fromMs, toMs)) {
        const last = found.at(-1);
        // A pass across the border of two pieces is found in both, cut at the border.
        const isRest = last?.satellite === satellite.name && last.closestMs === window.closestMs;
        if (isRest) found[found.length - 1] = { ...last, endMs: window.endMs };
        else found.push(offered(window, satellite, query));
      }
    }
  }
  return found.toSorted((a, b) => a.startMs - b.startMs);
}

function offered(window: TargetWindow, { name, catalogueNumber, elements }: OrbitingSatellite, query: PassQuery) {
  const ageDays = Math.abs(window.closestMs - elements.epochMs) / DAY_MS;
  return {
    ...window,
    satellite: name,
    mode: query.mode,
    coverageRatio: 1,
    strips: [query.geometry],
    uncertaintyS: Math.max(1, UNCERTAINTY_S_PER_DAY * ageDays),
    offerId: null,
    computedFrom: { catalogueNumber, epoch: new Date(elements.epochMs).toISOString(), elements },
  };
}
