import assert from "node:assert/strict";
import { test } from "node:test";
import type { Polygon } from "@swath/kernel/geometry/geojson";
import { HOUR_MS } from "@swath/kernel/weather/precipitation";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createAreas } from "../../platform/geometry/areas.ts";
import type { Db } from "../../platform/context.ts";
import { boxPolygon } from "../credits/testing.ts";
import type { PrecipitationRequest } from "@swath/contract/features/weather/contract";
import { rainBands } from "./rain-scenes.ts";
import { createWeatherService } from "./service.ts";
import { rainFixture, type RainFixtureOptions } from "./testing.ts";

const NOW = Date.UTC(2024, 6, 1, 0, 20);
const END = "2024-06-30 12:00:00";
const END_MS = Date.UTC(2024, 5, 30, 12);
const PLACE = boxPolygon([14, 50, 15.4, 50.9]);

/** What a request has other than usual; null for an end that is not given. */
type Change = Partial<Omit<PrecipitationRequest, "endDatetime">> & { readonly endDatetime?: string | null };

function bench(options: Partial<RainFixtureOptions> & Pick<RainFixtureOptions, "rate">) {
  const fixture = rainFixture({ fromMs: END_MS - 800 * HOUR_MS, toMs: Date.UTC(2024, 6, 1), ...options });
  const service = createWeatherService({
    areas: createAreas(),
    // The source answers; nothing is asked of the database.
    db: null as unknown as Db,
    clock: { now: () => new Date(NOW) },
    sources: { sourceOf: () => fixture.source },
    windows: { read: () => Promise.reject(new Error("not asked")), [Symbol.dispose]() {} },
  });
  return {
    fixture,
    rain: async (request: Change): Promise<number> => {
      const { signal } = new AbortController();
      const { endDatetime = END, endTime, geometry = PLACE, windowSizeHours = 1 } = request;
      const full = {
        geometry,
        windowSizeHours,
        ...(endDatetime === null ? {} : { endDatetime }),
        ...(endTime === undefined ? {} : { endTime }),
      };
      return (await service.precipitation(full, signal)).precipitation;
    },
  };
}

async function refused(answer: Promise<number>, code: ErrorCode, message: RegExp): Promise<void> {
  await assert.rejects(answer, (error) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });
}

function close(got: number, expected: number): void {
  assert.ok(Math.abs(got - expected) < 1e-6 * Math.max(1, expected), `got ${got}, expected ${expected}`);
}

test("constant 1 mm/h gives N, over as many pages as the source makes of it", async () => {
  const { rain, fixture } = bench({ rate: () => 1 });
  for (const windowSizeHours of [1, 24, 720]) close(await rain({ windowSizeHours }), windowSizeHours);
  assert.equal(fixture.opened, 745);
});

test("a polygon half on a wet cell gets half of its rain", async () => {
  const { rain } = bench({ rate: (_, column) => (column === 1900 ? 3 : 0) });
  close(await rain({ geometry: boxPolygon([10.05, 45.02, 10.15, 45.08]) }), 1.5);
});

test("an end at half past takes half of two hours, under either name, in any zone", async () => {
  const { rain } = bench({ rate: (startMs) => new Date(startMs).getUTCHours() });
  close(await rain({ endDatetime: "2024-06-30 10:30:00" }), 9.5);
  close(await rain({ endDatetime: null, endTime: "2024-06-30T12:30:00+02:00" }), 9.5);
  close(await rain({ endDatetime: "2024-06-30T10:30:00Z", endTime: "2024-06-30 10:30" }), 9.5);
});

test("the parts of a polygon, weighted by area, rain as the whole", async () => {
  const { rain } = bench({ rate: (_, column, row) => (column * 31 + row * 7) % 11 });
  // Parts of one height have areas as their widths.
  const west = await rain({ geometry: boxPolygon([14, 50, 14.33, 50.9]) });
  const east = await rain({ geometry: boxPolygon([14.33, 50, 15.4, 50.9]) });
  close(await rain({}), (west * 0.33 + east * 1.07) / 1.4);
});

test("a box across the antimeridian takes rain from both sides", async () => {
  const { rain } = bench({ rate: (_, column) => (column === 0 ? 1 : column === 3599 ? 3 : Number.NaN) });
  const ring: Polygon = boxPolygon([179.95, 10, 180.05, 10.1]);
  close(await rain({ geometry: ring }), 2);
});

test("a triangle smaller than a cell has the value of the cell", async () => {
  const { rain } = bench({ rate: (_, column, row) => (column === 1944 && row === 99 ? 7.25 : 99) });
  const coordinates = [
    [
      [14.42, 50.08],
      [14.421, 50.08],
      [14.42, 50.081],
      [14.42, 50.08],
    ],
  ] as const;
  close(await rain({ geometry: { type: "Polygon", coordinates } }), 7.25);
});

test("gauge-adjusted rates count where they are there, first measurements elsewhere", async () => {
  const { rain } = bench({
    bands: ["hourlyPrecipRate", "hourlyPrecipRateGC"],
    rate: (startMs, _, __, band) => (band === 0 ? 1 : startMs < END_MS - 2 * HOUR_MS ? 10 : null),
  });
  close(await rain({ windowSizeHours: 4 }), 22);
  assert.deepEqual(rainBands([["observationTimeFlag"], ["hourlyPrecipRate"], ["hourlyPrecipRateGC"]]), [2, 1]);
  assert.deepEqual(rainBands([["B1"]]), [0]);
  assert.deepEqual(rainBands([]), []);
});

test("a fifth of the hours may be missing, absent or unreadable, and is filled in; more is DATA-NOT-AVAILABLE", async () => {
  const absent = bench({ rate: () => 2, fromMs: END_MS - 8 * HOUR_MS });
  close(await absent.rain({ windowSizeHours: 10 }), 20);
  await refused(absent.rain({ windowSizeHours: 11 }), "DATA-NOT-AVAILABLE", /3[.]0 of 11 hours/);
  const dry = bench({ rate: (startMs) => (startMs < END_MS - 8 * HOUR_MS ? null : 2) });
  close(await dry.rain({ windowSizeHours: 10 }), 20);
  await refused(dry.rain({ windowSizeHours: 11 }), "DATA-NOT-AVAILABLE", /hours have no data/);
  const unreadable = bench({
    rate: () => 2,
    broken: (startMs) => (startMs < END_MS - 8 * HOUR_MS ? new ServiceError("SCENE-UNREADABLE", "damaged") : null),
  });
  close(await unreadable.rain({ windowSizeHours: 10 }), 20);
});

test("a source that does not answer is no drought", async () => {
  const { rain } = bench({ rate: () => 2, broken: () => new ServiceError("SERVICE-UNAVAILABLE", "later") });
  await refused(rain({ windowSizeHours: 10 }), "SERVICE-UNAVAILABLE", /later/);
});

test("a raster with values over less than half of the polygon is missing", async () => {
  // Columns 1940 to 1953 are in the place.
  const most = bench({ rate: (_, column) => (column >= 1948 ? null : 1) });
  close(await most.rain({}), 1);
  const few = bench({ rate: (_, column) => (column >= 1946 ? null : 1) });
  await refused(few.rain({}), "DATA-NOT-AVAILABLE", /1[.]0 of 1 hours/);
});

test("rain is not known beyond 60 degrees", async () => {
  const { rain } = bench({ rate: () => 1 });
  close(await rain({ geometry: boxPolygon([10, 59.5, 10.5, 60]) }), 1);
  await refused(rain({ geometry: boxPolygon([10, 59.5, 10.5, 60.1]) }), "DATA-NOT-AVAILABLE", /60/);
  await refused(rain({ geometry: boxPolygon([10, -61, 10.5, -60.5]) }), "DATA-NOT-AVAILABLE", /60/);
});

test("an end in the future, none, two that differ and a polygon without area are refused", async () => {
  const { rain } = bench({ rate: () => 1 });
  await refused(rain({ endDatetime: "2024-07-01 00:20:01" }), "VALIDATION-ERROR", /future/);
  await refused(rain({ endDatetime: null }), "VALIDATION-ERROR", /required/);
  await refused(rain({ endTime: "2024-06-30 11:00:00" }), "VALIDATION-ERROR", /same moment/);
  await refused(rain({ endDatetime: "2024-02-30 11:00:00" }), "VALIDATION-ERROR", /moment/);
  await refused(rain({ geometry: boxPolygon([10, 50, 10, 50]) }), "VALIDATION-ERROR", /area/);
});
