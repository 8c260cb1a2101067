import type { OrbitingSatellite } from "@swath/kernel/orbits/orbit-source";
import { elementsAtNode } from "@swath/kernel/orbits/repeat-orbit";
import { craftName } from "./capture-name.ts";
import { nodeLonDeg, nodeMs } from "./pass.ts";
import type { Satellite } from "./satellites.ts";

/** The satellite, or every member of the swarm, with elements at its last ascending node. Empty while it does not work. */
export function orbitingAt(satellite: Satellite, atMs: number): readonly OrbitingSatellite[] {
  const { epochMs, fromMs, toMs, orbit, members, catalogueNumber } = satellite;
  if (atMs < fromMs || (toMs !== null && atMs >= toMs)) return [];
  const cycleStartMs = epochMs + Math.floor((atMs - epochMs) / orbit.cycleMs) * orbit.cycleMs;
  const latest = Math.floor((atMs - cycleStartMs) / (orbit.nodalPeriodMs / members));
  return Array.from({ length: members }, (_, index) => {
    // One pass of each member, the last ones before the moment; those before the cycle have negative numbers.
    const pass = latest - index;
    const member = ((pass % members) + members) % members;
    return {
      name: craftName(satellite, member),
      catalogueNumber: catalogueNumber + member,
      elements: elementsAtNode(orbit, cycleStartMs + nodeMs(satellite, pass), nodeLonDeg(satellite, pass)),
    };
  }).toSorted((a, b) => a.catalogueNumber - b.catalogueNumber);
}
