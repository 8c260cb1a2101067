import { setImmediate as nextTurn } from "node:timers/promises";
import type { Polygon } from "@swath/kernel/geometry/geojson";
import type { OrbitingSatellite, OrbitSource } from "@swath/kernel/orbits/orbit-source";
import { propagatorOfElements } from "@swath/kernel/orbits/sgp4";
import { areaSamples, type AreaSamples } from "@swath/kernel/tasking/area-samples";
import { windowsOfSamples } from "@swath/kernel/tasking/area-windows";
import type { PassWindow } from "@swath/kernel/tasking/pass-window";
import type { TaskingSensors } from "../../providers/tasking-sensors.ts";
import type { OfferedWindow } from "../tasking-provider.ts";

/** An area and the sensors that may image it. */
export interface PassQuery {
  readonly provider: string;
  readonly dataset: string;
  readonly geometry: Polygon;
  readonly fromMs: number;
  readonly toMs: number;
  readonly sensors: TaskingSensors;
  /** The elements of the satellites are the newest ones of this moment. */
  readonly elementsMs: number;
}

const DAY_MS = 86_400_000;
/** A satellite is followed for so long without a pause: some 10 ms. */
const PIECE_MS = 2 * DAY_MS;
/** Longer than half a pass: a pass belongs to the piece of its closest approach. */
const MARGIN_MS = 20 * 60_000;
/** Elements are refused 60 days from their epoch; an operator of a rehearsal renews them before. */
const RENEWED_MS = 30 * DAY_MS;

/** Passes of the simulated satellites over an area, ascending. Between pieces other work goes on. */
export async function findPasses(
  orbits: Pick<OrbitSource, "satellites">,
  query: PassQuery,
  signal: AbortSignal,
): Promise<readonly OfferedWindow[]> {
  const area = areaSamples(query.geometry, query.sensors.swathKm);
  const found: OfferedWindow[] = [];
  for (let fromMs = query.fromMs; fromMs < query.toMs; fromMs += PIECE_MS) {
    const elementsMs = Math.max(query.elementsMs, fromMs - RENEWED_MS);
    for (const satellite of await orbits.satellites(query.provider, query.dataset, elementsMs)) {
      await nextTurn(undefined, { signal });
      found.push(...passesIn(satellite, area, query, fromMs).map((pass) => offered(pass, satellite, query)));
    }
  }
  return found.toSorted((a, b) => a.startMs - b.startMs);
}

/** Passes whose closest approach is in the piece from a moment on; the first and the last piece have the ends, too. */
function passesIn(
  { name, catalogueNumber, elements }: OrbitingSatellite,
  area: AreaSamples,
  { fromMs, toMs, sensors }: PassQuery,
  pieceMs: number,
): readonly PassWindow[] {
  const { limits, swathKm, setupGapS } = sensors;
  const propagate = propagatorOfElements(elements);
  const imaging = { name, catalogueNumber, propagate, elementsEpochMs: elements.epochMs, limits, swathKm, setupGapS };
  const [first, last] = [pieceMs === fromMs, pieceMs + PIECE_MS >= toMs];
  const searchedFrom = Math.max(pieceMs - MARGIN_MS, fromMs);
  const searchedTo = Math.min(pieceMs + PIECE_MS + MARGIN_MS, toMs);
  return windowsOfSamples(imaging, area, searchedFrom, searchedTo).filter(
    ({ closestMs }) => (first || closestMs >= pieceMs) && (last || closestMs < pieceMs + PIECE_MS),
  );
}

function offered(pass: PassWindow, { elements }: OrbitingSatellite, { sensors }: PassQuery): OfferedWindow {
  const { catalogueNumber, elementsEpochMs, ...window } = pass;
  return {
    ...window,
    mode: sensors.mode,
    offerId: null,
    computedFrom: { catalogueNumber, epoch: new Date(elementsEpochMs).toISOString(), elements },
  };
}
