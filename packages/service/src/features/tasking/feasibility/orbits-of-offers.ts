import type { FeasibilityOrbit } from "@swath/contract/features/tasking/feasibility-contract";
import type { OfferedWindow } from "../../../tasking-providers/tasking-provider.ts";

const ELEMENTS = [
  "meanMotionRevPerDay",
  "eccentricity",
  "inclinationDeg",
  "nodeDeg",
  "perigeeDeg",
  "meanAnomalyDeg",
] as const;

type Elements = Readonly<Record<(typeof ELEMENTS)[number], number>>;

/** The orbit that an offer was computed from; null where its provider names none. */
export function orbitOfOffer({ satellite, computedFrom }: OfferedWindow): FeasibilityOrbit | null {
  const { catalogueNumber, epoch, elements } = computedFrom;
  if (typeof catalogueNumber !== "number" || typeof epoch !== "string" || !isElements(elements)) return null;
  return {
    satellite,
    catalogueNumber,
    epoch,
    meanMotion: elements.meanMotionRevPerDay,
    eccentricity: elements.eccentricity,
    inclination: elements.inclinationDeg,
    raOfAscNode: elements.nodeDeg,
    argOfPericenter: elements.perigeeDeg,
    meanAnomaly: elements.meanAnomalyDeg,
  };
}

/** The orbits of offers, each once. */
export function orbitsOfOffers(offers: readonly OfferedWindow[]): readonly FeasibilityOrbit[] {
  const orbits = offers.map(orbitOfOffer).filter((orbit) => orbit !== null);
  return [...new Map(orbits.map((orbit) => [`${orbit.satellite} ${orbit.epoch}`, orbit])).values()];
}

function isElements(value: unknown): value is Elements {
  if (typeof value !== "object" || value === null) return false;
  return ELEMENTS.every((name) => Number.isFinite(Reflect.get(value, name)));
}
