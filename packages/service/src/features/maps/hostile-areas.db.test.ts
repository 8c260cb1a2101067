import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@swath/base/clock";
import type { GeoJson, LinearRing } from "@swath/kernel/geometry/geojson";
import { leastCpuMs, MAX_CPU_MS, star } from "../../platform/geometry/hostile-areas-testing.ts";
import { setPrice, testScene } from "../credits/testing.ts";
import { mapBench, type Answer } from "./testing.ts";

const scene = testScene("one");
const { sceneId } = scene.scene;
const SQUARE_DEG = 0.002;

function area(...rings: readonly LinearRing[]): GeoJson {
  return { type: "MultiPolygon", coordinates: rings.map((ring) => [ring]) };
}

/** The least time of the thread that answers, ms, of requests whose status is as expected. */
async function timed(name: string, ask: () => Promise<Answer>, isExpected: (status: number) => boolean) {
  return await leastCpuMs(async () => {
    const { status, text } = await ask();
    assert.ok(isExpected(status), `${name}: ${status} ${text.slice(0, 200)}`);
  });
}

/** Squares of 0.002°, in a grid side by side or nearly on top of each other. */
function squares(count: number, stepDeg: number): readonly LinearRing[] {
  return Array.from({ length: count }, (_, i) => {
    const west = 14.01 + (i % 44) * stepDeg;
    const south = 50.01 + Math.floor(i / 44) * stepDeg;
    const [east, north] = [west + SQUARE_DEG, south + SQUARE_DEG];
    return [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
  });
}

test("stars against each other and against paid stars cost the thread that answers little", async () => {
  await using b = await mapBench([scene], systemClock);
  await setPrice(b.db, "spot", 1_000_000n);
  const { token, caller } = await b.addUser("star@example.com", ["mapsvc.release", "credits", "imagery.images"]);
  await b.db.transaction().execute((trx) => b.credits.grant(trx, caller.groupId, 1_000_000_000n, "start"));
  const paid = { sceneIds: [sceneId], geojson: area(star(1000)) };
  assert.equal((await b.post("/credits/area/allocate-geojson", paid, token)).status, 200);
  const against = area(star(1000, 14.0504));
  const both = area(star(1000), star(1000, 14.0504));
  // Starts the threads and compiles what a request takes.
  await b.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson: against }, token);

  const requests: Readonly<Record<string, () => Promise<Answer>>> = {
    "a star against a paid star": () =>
      b.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson: against }, token),
    "two stars": () => b.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson: both }, token),
    "a release of a star": () =>
      b.post("/mapsvc/release/initiate", { mapTypes: ["imagery"], sceneIds: [sceneId], extent: against }, token),
  };
  for (const [name, ask] of Object.entries(requests)) {
    const least = await timed(name, ask, (status) => status < 500);
    assert.ok(least < MAX_CPU_MS, `${name} took ${least.toFixed(1)} ms of the thread that answers`);
  }
});

test("a quote of 9,000 positions costs the thread that answers little, and no more when it is refused", async () => {
  await using b = await mapBench([scene], systemClock);
  await setPrice(b.db, "spot", 1_000_000n);
  const { token } = await b.addUser("star@example.com", ["credits", "imagery.images"]);
  const quote = (geojson: GeoJson) => () =>
    b.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson }, token);
  const ring = star(8_999);
  const start = ring[0] ?? [0, 0];
  const cases: readonly { readonly accepted: GeoJson; readonly refused: Readonly<Record<string, GeoJson>> }[] = [
    {
      accepted: area(ring),
      refused: {
        "a star with a position beyond the pole": area([...ring.slice(0, -2), [14, 91], start]),
        "a star that is not closed": area([...ring.slice(0, -1), [14, 50]]),
      },
    },
    {
      accepted: area(...squares(1_800, 0.003)),
      refused: { "squares on top of each other": area(...squares(1_800, 0.00003)) },
    },
  ];
  // Starts the threads and compiles what a request takes.
  for (const { accepted } of cases) await quote(accepted)();
  for (const { accepted, refused } of cases) {
    const acceptedMs = await timed("accepted", quote(accepted), (status) => status === 200);
    assert.ok(acceptedMs < MAX_CPU_MS, `${acceptedMs.toFixed(1)} ms of the thread that answers`);
    for (const [name, bad] of Object.entries(refused)) {
      const refusedMs = await timed(name, quote(bad), (status) => status === 422);
      const times = `${refusedMs.toFixed(1)} ms refused, ${acceptedMs.toFixed(1)} ms accepted`;
      assert.ok(refusedMs < 2 * acceptedMs + 5, `${name}: ${times}`);
    }
  }
});
