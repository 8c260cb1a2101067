import { randomUUID } from "node:crypto";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { simulatedOrbits } from "@swath/simulator/simulated-orbits";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../../platform/context.ts";
import { createPassSearch } from "../../platform/geometry/pass-search.ts";
import { findDataset } from "../../providers/registry.ts";
import type { SubmittedOrder, TaskingProvider, TaskingRequest } from "../tasking-provider.ts";
import type { TaskingSettings } from "../bindings.ts";
import { simulatorTaskingFactory } from "./factory.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 5, 1, 6);
/** A coast with a town. */
const PLACE: Bounds = [153.14, -27.42, 153.16, -27.4];

/** Idle threads of it end with the process. */
const passes = createPassSearch();

/** A clock that stands until it is set. */
export interface SetClock extends Clock {
  set(timeMs: number): void;
}

export function setClock(timeMs = NOW_MS): SetClock {
  let now = timeMs;
  return {
    now: () => new Date(now),
    set: (ms) => {
      now = ms;
    },
  };
}

/** The simulated provider of a dataset. */
export function testSimulator(
  db: Db,
  clock: Clock,
  settings: TaskingSettings = {},
  [provider, dataset]: readonly [provider: string, dataset: string] = ["ab", "pleiades"],
): TaskingProvider {
  const registered = findDataset(provider, dataset);
  if (registered === null) throw new Error(`there is no ${dataset} of ${provider}`);
  return simulatorTaskingFactory({ clock, db, orbits: simulatedOrbits, passes, speed: 1 }).create(registered, settings);
}

export function testRequest(members: Partial<TaskingRequest> = {}): TaskingRequest {
  return {
    provider: "ab",
    dataset: "pleiades",
    geometry: boundsPolygon(PLACE),
    fromMs: NOW_MS + DAY_MS,
    toMs: NOW_MS + 15 * DAY_MS,
    priority: null,
    orderOptions: {},
    ...members,
  };
}

/** An order of the first window that the provider offers; any clouds are good enough. */
export async function testOrder(
  provider: TaskingProvider,
  members: Partial<SubmittedOrder> = {},
): Promise<SubmittedOrder> {
  const request = testRequest(members);
  const [first] = await provider.feasibility(request, new AbortController().signal);
  if (first === undefined) throw new Error("there is no window");
  const { offerId, satellite, mode, computedFrom, startMs, endMs } = first;
  return {
    ...request,
    orderId: randomUUID(),
    createdMs: NOW_MS,
    offer: { offerId, satellite, mode, computedFrom },
    window: { startMs, endMs },
    maxCloudCover: 1,
    micro: 1_000_000n,
    ...members,
  };
}
