import type { LinearRing } from "@swath/kernel/geometry/geojson";

/** Of one request, in ms of a processor: one overlay takes 700. Other tests on the machine can double the time. */
export const MAX_CPU_MS = 100;
const REQUESTS = 3;

/** Spikes around a centre, half of whose vertices are near it: every edge meets most others on both axes. */
export function spikes(
  vertices: number,
  centre: readonly [lon: number, lat: number],
  radiiDeg: readonly [outer: number, inner: number],
): LinearRing {
  const ring = Array.from({ length: vertices }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / vertices;
    const radiusDeg = radiiDeg[i % 2 === 0 ? 0 : 1];
    return [centre[0] + radiusDeg * Math.cos(angle), centre[1] + radiusDeg * Math.sin(angle)];
  });
  return [...ring, ring[0] ?? [0, 0]];
}

/** Spikes of 0.04°, within the scenes of tests. */
export function star(vertices: number, lon = 14.05): LinearRing {
  return spikes(vertices, [lon, 50.05], [0.04, 0.0008]);
}

/** The least time of the thread that answers among three requests, ms. */
export async function leastCpuMs(request: () => Promise<void>): Promise<number> {
  const cpuMs: number[] = [];
  for (let count = 0; count < REQUESTS; count += 1) {
    const before = process.threadCpuUsage();
    await request();
    const { user, system } = process.threadCpuUsage(before);
    cpuMs.push((user + system) / 1000);
  }
  return Math.min(...cpuMs);
}
