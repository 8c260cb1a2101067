import { spawnSync } from "node:child_process";
import type { Polygon } from "@swath/kernel/geometry/geojson";
import { withoutDrag } from "@swath/kernel/orbits/element-set";
import { propagatorOfTle } from "@swath/kernel/orbits/sgp4";
import { targetWindows } from "@swath/kernel/tasking/target-windows";
import { createPassSearch } from "../packages/service/src/platform/geometry/pass-search.ts";
import type { QueriedSatellite } from "../packages/service/src/platform/geometry/pass-query.ts";
import { PythonPeer } from "./peers/python.ts";
import { median, printP95, printRatio, quantile, seededRandom } from "./statistics.ts";

const ROUNDS = 5;
const WARM_UP = 3;
const RUNS = 20;
const SATELLITES = 200;
const DAY_MS = 86_400_000;
const FROM_MS = Date.parse("2026-10-02T00:00:00Z");
const TO_MS = FROM_MS + 14 * DAY_MS;
const MAX_OFF_NADIR_DEG = 30;
/** Sentinel-2A in October 2026. */
const LINES = [
  "1 40697U 15028A   26274.29857647 -.00000002  00000+0  15863-4 0  9990",
  "2 40697  98.5653 347.6046 0001070  85.9280 274.2026 14.30818852588907",
] as const;
const PRAGUE = { lonDeg: 14.42, latDeg: 50.08 };
/** 50 km wide and high. */
const AREA: Polygon = {
  type: "Polygon",
  coordinates: [
    [
      [14, 50],
      [14.7, 50],
      [14.7, 50.45],
      [14, 50.45],
      [14, 50],
    ],
  ],
};

interface Found {
  readonly ms: number;
  readonly cpuMs: number;
  readonly windows: readonly (readonly [startMs: number, endMs: number])[];
}

/** Windows of two weeks: of one satellite over one point, and of 200 satellites over an area in a thread. */
export async function run(): Promise<void> {
  await comparePoint();
  await measureConstellation();
}

async function comparePoint(): Promise<void> {
  const ours = Array.from({ length: WARM_UP + RUNS }, ownWindows).slice(WARM_UP);
  printP95(
    "feasibility-point",
    quantile(
      ours.map(({ ms }) => ms),
      0.95,
    ),
  );
  const python = skyfieldPython();
  if (python === null) {
    process.stdout.write("no Python with skyfield: the peer is skipped\n");
    return;
  }
  using peer = new PythonPeer(python, "feasibility.py");
  const [line1, line2] = LINES;
  const request = { line1, line2, ...PRAGUE, fromMs: FROM_MS, toMs: TO_MS, maxOffNadirDeg: MAX_OFF_NADIR_DEG };
  const [own, theirs]: [Found[], Found[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await peer.ask<Found>(request);
    const mine = ownWindows();
    requireEqual(mine.windows, found.windows);
    // The first round reads the modules and tables of the peer.
    if (round > 0) {
      theirs.push(found);
      own.push(mine);
    }
  }
  const [ownMs, theirMs] = [own, theirs].map((runs) => median(runs.map(({ cpuMs }) => cpuMs))) as [number, number];
  process.stdout.write(`one point: ${ownMs.toFixed(2)} ms of processor, Skyfield ${theirMs.toFixed(0)} ms\n`);
  printRatio("feasibility", theirMs / ownMs, "Skyfield find_events and find_discrete, processor time, same windows");
}

function ownWindows(): Found {
  const limits = { kind: "optical", maxOffNadirDeg: MAX_OFF_NADIR_DEG, minSunElevationDeg: -90 } as const;
  const startMs = performance.now();
  const cpu = process.cpuUsage();
  const windows = targetWindows(propagatorOfTle(...LINES), PRAGUE, limits, FROM_MS, TO_MS);
  const { user, system } = process.cpuUsage(cpu);
  return {
    ms: performance.now() - startMs,
    cpuMs: (user + system) / 1000,
    windows: windows.map(({ startMs: start, endMs: end }) => [start, end] as const),
  };
}

/** @throws {Error} unless both found the same windows, edges within a second */
function requireEqual(ours: Found["windows"], theirs: Found["windows"]): void {
  const isEqual =
    ours.length === theirs.length &&
    ours.every(([start, end], index) => {
      const [theirStart, theirEnd] = theirs[index] ?? [0, 0];
      return Math.abs(start - theirStart) < 1000 && Math.abs(end - theirEnd) < 1000;
    });
  if (!isEqual) throw new Error(`Skyfield finds ${theirs.length} windows, Swath ${ours.length}, or other edges`);
}

async function measureConstellation(): Promise<void> {
  await using search = createPassSearch();
  const random = seededRandom(13);
  const satellites = Array.from({ length: SATELLITES }, (_, index) => satelliteOf(random, index));
  const query = { satellites, area: AREA, fromMs: FROM_MS, toMs: TO_MS };
  const { signal } = new AbortController();
  const samples: { readonly ms: number; readonly cpuMs: number; readonly busy: number }[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const [startMs, cpu, loop] = [performance.now(), process.cpuUsage(), performance.eventLoopUtilization()];
    const { windows, failed } = await search.find(query, signal);
    if (windows.length < SATELLITES || failed.length > 0) throw new Error(`found ${windows.length} windows`);
    const { user, system } = process.cpuUsage(cpu);
    const { active } = performance.eventLoopUtilization(loop);
    samples.push({ ms: performance.now() - startMs, cpuMs: (user + system) / 1000, busy: active });
  }
  const measured = samples.slice(WARM_UP);
  const [ms, cpuMs, busyMs] = (["ms", "cpuMs", "busy"] as const).map((key) => median(measured.map((one) => one[key])));
  process.stdout.write(
    `${SATELLITES} satellites: median ${ms?.toFixed(0)} ms, ${cpuMs?.toFixed(0)} ms of processor, ` +
      `${busyMs?.toFixed(0)} ms of them on the thread that answers\n`,
  );
  printP95(
    "feasibility-constellation",
    quantile(
      measured.map((one) => one.ms),
      0.95,
    ),
  );
}

/** A sun-synchronous satellite of a mid-morning orbit, anywhere along it. */
function satelliteOf(random: () => number, index: number): QueriedSatellite {
  const elements = {
    epochMs: FROM_MS - DAY_MS,
    meanMotionRevPerDay: 14.5 + random() * 0.7,
    eccentricity: 0.000_2,
    inclinationDeg: 97.4 + random(),
    nodeDeg: 330 + random() * 40,
    perigeeDeg: random() * 360,
    meanAnomalyDeg: random() * 360,
  };
  const limits = { kind: "optical", maxOffNadirDeg: MAX_OFF_NADIR_DEG, minSunElevationDeg: 15 } as const;
  return { elements: withoutDrag(elements, `SAT ${index}`, 90_001 + index), limits, swathKm: 20, setupGapS: 30 };
}

function skyfieldPython(): string | null {
  const python = "/usr/bin/python3";
  return spawnSync(python, ["-c", "import skyfield"], { stdio: "ignore" }).status === 0 ? python : null;
}
