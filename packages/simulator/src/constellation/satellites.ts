import { lazy } from "@swath/kernel/lazy";
import { repeatOrbit, type RepeatOrbit } from "@swath/kernel/orbits/repeat-orbit";
import { seedOf } from "./hash.ts";

/*
 * Satellites that exist nowhere. Each flies a repeating orbit that SGP4 itself keeps (kernel, orbits/repeat-orbit). It is
 * set on the orbit again at the start of every cycle, as by an operator. So a satellite needs only the time and the
 * longitude of one ascending node, and its ground track is known for every year. Orbits follow the missions that the
 * names remind of. Phases, names and catalogue numbers are invented. Catalogues keep the numbers from 99000 on for
 * analysts.
 */

export interface Satellite {
  /** Upper-case letters and digits; starts every identifier of its scenes. */
  readonly code: string;
  /** Says that it is simulated. */
  readonly name: string;
  readonly catalogueNumber: number;
  readonly orbit: RepeatOrbit;
  /** Time of an ascending node and its longitude: where cycle 0 starts. */
  readonly epochMs: number;
  readonly nodeLonDeg: number;
  /** Evenly spread along the orbit; more than one is a swarm whose members are numbered. */
  readonly members: number;
  readonly fromMs: number;
  /** Null while it works. */
  readonly toMs: number | null;
  readonly seed: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EPOCH_MS = Date.UTC(2015, 0, 1);

interface Launch {
  readonly code: string;
  readonly name: string;
  readonly number: number;
  /** Later than the first of its kind on the same track, days. */
  readonly afterDays?: number;
  readonly members?: number;
  /** First and last day it works, ISO dates. */
  readonly from: string;
  readonly to?: string;
}

function common(orbit: () => RepeatOrbit, launch: Launch, epochMs: number, nodeLonDeg: number): Satellite {
  return {
    code: launch.code,
    name: launch.name,
    catalogueNumber: 99_000 + launch.number,
    get orbit() {
      return orbit();
    },
    epochMs,
    nodeLonDeg,
    members: launch.members ?? 1,
    fromMs: Date.parse(launch.from),
    toMs: launch.to === undefined ? null : Date.parse(launch.to) + DAY_MS,
    seed: seedOf(launch.code),
  };
}

/**
 * Sun-synchronous satellites on one orbit.
 *
 * @param ascendingHour mean local time of the ascending node, hours
 */
function sunSynchronous(
  revolutions: number,
  nodalDays: number,
  ascendingHour: number,
  launches: readonly Launch[],
): readonly Satellite[] {
  const orbit = lazy(() => repeatOrbit({ revolutions, nodalDays, inclinationDeg: null }));
  return launches.map((launch) => {
    const epochMs = EPOCH_MS + (launch.afterDays ?? 0) * DAY_MS;
    const utcHours = (epochMs % DAY_MS) / HOUR_MS;
    return common(orbit, launch, epochMs, 15 * (ascendingHour - utcHours));
  });
}

/** Satellites on inclined orbits, which pass at all hours. */
function inclined(
  revolutions: number,
  nodalDays: number,
  inclinationDeg: number,
  launches: readonly Launch[],
): readonly Satellite[] {
  const orbit = lazy(() => repeatOrbit({ revolutions, nodalDays, inclinationDeg }));
  return launches.map((launch, index) => {
    const epochMs = EPOCH_MS + (launch.afterDays ?? 0) * DAY_MS;
    return common(orbit, launch, epochMs, 47 + 103 * index);
  });
}

export const SENTINEL_1 = sunSynchronous(175, 12, 18, [
  { code: "S1A", name: "SIM S1-A", number: 1, from: "2014-10-03" },
  { code: "S1B", name: "SIM S1-B", number: 2, afterDays: 6, from: "2016-09-26", to: "2021-12-22" },
  { code: "S1C", name: "SIM S1-C", number: 3, afterDays: 6, from: "2025-03-26" },
]);
export const SENTINEL_2 = sunSynchronous(143, 10, 22.5, [
  { code: "S2A", name: "SIM S2-A", number: 4, from: "2015-06-27" },
  { code: "S2B", name: "SIM S2-B", number: 5, afterDays: 5, from: "2017-07-01" },
]);
export const LANDSAT_7 = sunSynchronous(233, 16, 22, [
  { code: "L7", name: "SIM L-7", number: 6, afterDays: 8, from: "1999-05-28" },
]);
export const LANDSAT_8 = sunSynchronous(233, 16, 22.2, [
  { code: "L8", name: "SIM L-8", number: 7, from: "2013-03-18" },
]);
/** A swarm along one orbit that repeats every day: the earth turns below it and it scans all of it. */
export const DOVES = sunSynchronous(15, 1, 22, [
  { code: "PS", name: "SIM PS", number: 100, members: 86, from: "2016-07-01" },
]);
export const SKYSATS = sunSynchronous(229, 15, 22.6, [
  { code: "SK1", name: "SIM SK-1", number: 8, from: "2016-01-01" },
  { code: "SK2", name: "SIM SK-2", number: 9, afterDays: 3.27, from: "2016-09-01" },
  { code: "SK3", name: "SIM SK-3", number: 10, afterDays: 7.61, from: "2017-10-31" },
]);
export const PLEIADES = sunSynchronous(379, 26, 22.5, [
  { code: "PH1", name: "SIM PH-1A", number: 11, from: "2012-03-01" },
  { code: "PH2", name: "SIM PH-1B", number: 12, afterDays: 13.03, from: "2013-03-01" },
]);
export const SPOTS = sunSynchronous(379, 26, 22.5, [
  { code: "SP6", name: "SIM SP-6", number: 13, afterDays: 6.51, from: "2012-11-01" },
  { code: "SP7", name: "SIM SP-7", number: 14, afterDays: 19.54, from: "2014-10-01" },
]);
export const NEOS = sunSynchronous(385, 26, 22.5, [
  { code: "PN3", name: "SIM PN-3", number: 15, from: "2021-06-01" },
  { code: "PN4", name: "SIM PN-4", number: 16, afterDays: 13.02, from: "2021-11-01" },
]);
export const ARCHIVERS = [
  ...sunSynchronous(287, 20, 22.5, [{ code: "WA2", name: "SIM WA-2", number: 17, from: "2009-12-01" }]),
  ...sunSynchronous(341, 23, 22.5, [{ code: "WA3", name: "SIM WA-3", number: 18, from: "2014-10-01" }]),
  ...sunSynchronous(161, 11, 22.6, [{ code: "GA1", name: "SIM GA-1", number: 19, from: "2009-02-01" }]),
];
/** Works on, for clients of the deprecated archive search the last months. */
export const LEGACY_OPTICAL = [
  ...sunSynchronous(287, 20, 22.4, [{ code: "WL2", name: "SIM WL-2", number: 20, afterDays: 4.2, from: "2009-12-01" }]),
  ...sunSynchronous(341, 23, 22.6, [{ code: "WL3", name: "SIM WL-3", number: 21, afterDays: 7.7, from: "2014-10-01" }]),
  ...sunSynchronous(161, 11, 22.5, [{ code: "GL1", name: "SIM GL-1", number: 22, afterDays: 2.9, from: "2009-02-01" }]),
];
export const NEWSATS = sunSynchronous(153, 10, 22.2, [
  { code: "NS1", name: "SIM NS-1", number: 23, from: "2017-06-01" },
  { code: "NS2", name: "SIM NS-2", number: 24, afterDays: 2.53, from: "2018-02-01" },
  { code: "NS3", name: "SIM NS-3", number: 25, afterDays: 5.07, from: "2020-01-01" },
  { code: "NS4", name: "SIM NS-4", number: 26, afterDays: 7.55, from: "2020-09-01" },
]);
export const LEGACY_RADAR = sunSynchronous(271, 18, 21.5, [
  { code: "IX1", name: "SIM IX-1", number: 27, from: "2018-01-12" },
  { code: "IX2", name: "SIM IX-2", number: 28, afterDays: 9.02, from: "2018-12-03" },
]);
export const MULTI_RADAR = [
  ...inclined(211, 14, 53, [
    { code: "CR1", name: "SIM CR-1", number: 29, from: "2020-08-31" },
    { code: "CR2", name: "SIM CR-2", number: 30, afterDays: 4.4, from: "2021-01-24" },
  ]),
  ...sunSynchronous(243, 16, 15, [{ code: "CR3", name: "SIM CR-3", number: 31, from: "2021-06-30" }]),
];
export const GEC_RADAR = sunSynchronous(243, 16, 21, [
  { code: "UM1", name: "SIM UM-1", number: 32, from: "2021-06-25" },
  { code: "UM2", name: "SIM UM-2", number: 33, afterDays: 8.03, from: "2022-05-25" },
]);
/** Only for its name in whole-world products. */
export const METEOROLOGICAL = { precipitation: "SIM GPM", methane: "SIM S5-P", nightLights: "SIM NPP" } as const;
