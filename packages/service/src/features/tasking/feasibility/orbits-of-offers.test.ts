import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { OfferedWindow } from "../../../tasking-providers/tasking-provider.ts";
import { orbitsOfOffers } from "./orbits-of-offers.ts";

const elements = {
  epochMs: Date.UTC(2026, 5, 1),
  meanMotionRevPerDay: 15.2,
  eccentricity: 0.001,
  inclinationDeg: 97.5,
  nodeDeg: 10,
  perigeeDeg: 20,
  meanAnomalyDeg: 30,
};

function offer(satellite: string, computedFrom: OfferedWindow["computedFrom"]): OfferedWindow {
  const times = { startMs: 1, endMs: 3, closestMs: 2 };
  const angles = { offNadirDeg: null, incidenceDeg: null, lookSide: null, pass: null, sunElevationDeg: 30 };
  const strips = [boundsPolygon([14, 50, 15, 51])];
  return {
    ...times,
    ...angles,
    satellite,
    computedFrom,
    strips,
    mode: "m",
    offerId: null,
    coverageRatio: 1,
    uncertaintyS: 1,
  };
}

test("each orbit of a study is named once, with its elements in the words of orbit messages", () => {
  const [first, second] = ["2026-06-01T00:00:00.000Z", "2026-06-03T00:00:00.000Z"];
  const orbits = orbitsOfOffers([
    offer("CR-1", { catalogueNumber: 7, epoch: first, elements }),
    offer("CR-1", { catalogueNumber: 7, epoch: first, elements }),
    offer("CR-1", { catalogueNumber: 7, epoch: second, elements }),
    offer("CR-2", { catalogueNumber: 8, epoch: first, elements }),
  ]);
  assert.deepEqual(
    orbits.map(({ satellite, epoch }) => [satellite, epoch]),
    [
      ["CR-1", first],
      ["CR-1", second],
      ["CR-2", first],
    ],
  );
  assert.deepEqual(orbits[2], {
    satellite: "CR-2",
    catalogueNumber: 8,
    epoch: first,
    meanMotion: 15.2,
    eccentricity: 0.001,
    inclination: 97.5,
    raOfAscNode: 10,
    argOfPericenter: 20,
    meanAnomaly: 30,
  });
});

test("a provider that names no elements has no orbits", () => {
  assert.deepEqual(orbitsOfOffers([offer("acme-1", { product: "visual" })]), []);
  assert.deepEqual(
    orbitsOfOffers([offer("acme-1", { catalogueNumber: 7, epoch: "now", elements: { nodeDeg: 1 } })]),
    [],
  );
});
