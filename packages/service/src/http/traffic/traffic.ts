import type { Server } from "node:http";
import { lightRequests } from "@swath/base/concurrency/light-requests";
import { createArrivingBodies, type ArrivingBodies } from "./arriving-bodies.ts";
import { createConnections, watchConnections, type Connections } from "./connections.ts";
import { createPacedRefusals, type PacedRefusals } from "./paced-refusals.ts";
import { createShares, type Shares } from "./shares.ts";
import { sweepConnections } from "./sweep-connections.ts";
import type { TrafficLimits } from "./traffic-limits.ts";
import { createTurns, type Turns } from "./turns.ts";
import { createWorkPlaces, type WorkPlaces } from "./work-places.ts";

/** Shares of callers in a server: connections, memory of bodies, places of work, answers held back, refusals, turns. */
export interface Traffic {
  readonly connections: Connections;
  readonly bodies: ArrivingBodies;
  readonly places: WorkPlaces;
  readonly waits: Shares;
  readonly refusals: PacedRefusals;
  readonly turns: Turns;
}

export function createTraffic(limits: TrafficLimits): Traffic {
  return {
    connections: createConnections(limits),
    bodies: createArrivingBodies(limits),
    places: createWorkPlaces(limits),
    waits: createShares({ perCaller: limits.waitsPerCaller, inAll: limits.waitsInAll }),
    refusals: createPacedRefusals(),
    turns: createTurns(lightRequests),
  };
}

/** The time limits are looked at this often, by the shortest of them. */
export function sweepEveryMs({ bodyMs, headersMs, stallMs }: TrafficLimits): number {
  return Math.max(10, Math.min(500, Math.floor(Math.min(bodyMs, headersMs, stallMs) / 4)));
}

/** Watches the connections of a server until it closes. */
export function watchTraffic({ connections }: Traffic, server: Server): void {
  watchConnections(connections, server);
  const everyMs = sweepEveryMs(connections.limits);
  let sweptAtMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    // Time in which this process stood still is no pause of a client.
    sweepConnections(connections, Math.min(nowMs - sweptAtMs, 2 * everyMs));
    sweptAtMs = nowMs;
  }, everyMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}
