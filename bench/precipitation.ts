import type { Polygon } from "@swath/kernel/geometry/geojson";
import { createWeatherService } from "../packages/service/src/features/weather/service.ts";
import { systemClock } from "../packages/base/src/clock.ts";
import { createAreas } from "../packages/service/src/platform/geometry/areas.ts";
import type { Db } from "../packages/service/src/platform/context.ts";
import { createSimulatorSource } from "../packages/simulator/src/simulator-source.ts";
import { printP95, quantile } from "./statistics.ts";

const RUNS = 10;
const HOURS = 240;
const LIMIT_MS = 300;
/** Country outlines drawn by hand: name, middle, half width and half height in degrees. */
const COUNTRIES = [
  ["Czechia", 15.4, 49.8, 3.3, 1.2],
  ["Poland", 19.2, 52.1, 4.9, 2.9],
  ["France", 2.4, 46.6, 5.5, 4.4],
] as const;

/** A ragged outline of 2 000 positions, as generalised borders have. */
function outline(lon: number, lat: number, halfWidth: number, halfHeight: number): Polygon {
  const count = 2_000;
  const ring = Array.from({ length: count }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / count;
    const ragged = 0.85 + 0.1 * Math.sin(7 * angle) + 0.05 * Math.sin(91 * angle);
    return [lon + halfWidth * ragged * Math.cos(angle), lat + halfHeight * ragged * Math.sin(angle)];
  });
  return { type: "Polygon", coordinates: [[...ring, ring[0] ?? [lon, lat]]] };
}

/** Rain over countries for ten days, from the simulator: another ten days in every run, so that nothing is known before. */
export async function run(): Promise<void> {
  await using source = createSimulatorSource({ clock: systemClock });
  const service = createWeatherService({
    areas: createAreas(),
    // The source answers; nothing is asked of the database or the store.
    db: null as unknown as Db,
    clock: systemClock,
    sources: { sourceOf: () => source },
    windows: { read: () => Promise.reject(new Error("not asked")), [Symbol.dispose]() {} },
  });
  const { signal } = new AbortController();
  let worst = 0;
  for (const [name, lon, lat, halfWidth, halfHeight] of COUNTRIES) {
    const geometry = outline(lon, lat, halfWidth, halfHeight);
    const timesMs: number[] = [];
    for (let i = -2; i < RUNS; i += 1) {
      const endDatetime = new Date(Date.UTC(2024, 0, 12 + 11 * (i + 2), 7, 30)).toISOString();
      const start = performance.now();
      await service.precipitation({ geometry, endDatetime, windowSizeHours: HOURS }, signal);
      if (i >= 0) timesMs.push(performance.now() - start);
    }
    const p95Ms = quantile(timesMs, 0.95);
    worst = Math.max(worst, p95Ms);
    process.stdout.write(`  ${name}: p50 ${quantile(timesMs, 0.5).toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms\n`);
  }
  process.stdout.write(`  limit ${LIMIT_MS} ms\n`);
  printP95("precipitation", worst);
}
