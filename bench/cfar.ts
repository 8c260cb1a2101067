import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fillClutter, seededUniform } from "../packages/maps/src/analysis/clutter/simulate-clutter.ts";
import { PythonPeer, scipyPython } from "./peers/python.ts";
import { median, printRatio } from "./statistics.ts";

const SIDE = 10_000;
const GUARD_PX = 25;
const OUTER_PX = 40;
const LOOKS = 4.4;
const PFA = 1e-6;
const ROUNDS = 3;
const STRIP_ROWS = 100;
const FOLDER = join(import.meta.dirname, "tmp");

interface Run {
  readonly ms: number;
  readonly cpuMs: number;
  readonly hits: number;
}

interface Ours {
  readonly averaging: Run;
  readonly textured: Run;
  readonly onTwoThreads: Run;
  readonly multiple: number;
  readonly peakMb: number;
}

/**
 * Detection on 10,000 x 10,000 pixels of sea, on one thread and on two, against scipy. Both compare each pixel with the mean of the same
 * ring; ours also with the thresholds of K-distributed clutter, for which the squares are summed as well.
 */
export async function run(): Promise<void> {
  const file = join(FOLDER, "sea.raw");
  writeSea(file);
  try {
    const python = scipyPython();
    if (python === null) process.stdout.write("no Python with scipy: the peer is skipped\n");
    using peer = python === null ? null : new PythonPeer(python, "cfar.py");
    const ours: Ours[] = [];
    const theirs: (Run & { readonly peakMb: number })[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const own = detect(file);
      ours.push(own);
      if (peer === null) continue;
      const request = { file, side: SIDE, guard: GUARD_PX, outer: OUTER_PX, multiple: own.multiple };
      const other = await peer.ask<Run & { readonly peakMb: number }>(request);
      // Sums in float32 move single pixels over the threshold.
      if (Math.abs(other.hits - own.averaging.hits) > 3 + 0.05 * own.averaging.hits) {
        throw new Error(`scipy finds ${other.hits} pixels, Swath ${own.averaging.hits}`);
      }
      theirs.push(other);
    }
    report(ours, theirs);
  } finally {
    rmSync(file);
  }
}

function report(ours: readonly Ours[], theirs: readonly (Run & { readonly peakMb: number })[]): void {
  const seconds = (runs: readonly Run[]): string =>
    `${(median(runs.map(({ ms }) => ms)) / 1000).toFixed(2)} s (${(median(runs.map(({ cpuMs }) => cpuMs)) / 1000).toFixed(2)} s of processor)`;
  const averaging = ours.map((own) => own.averaging);
  const textured = ours.map((own) => own.textured);
  const peakMb = Math.max(...ours.map((own) => own.peakMb));
  process.stdout.write(
    `cell averaging ${seconds(averaging)}, K-distributed ${seconds(textured)}, peak ${peakMb.toFixed(0)} MB\n`,
  );
  if (theirs.length === 0) return;
  const peerMb = Math.max(...theirs.map((their) => their.peakMb));
  process.stdout.write(`scipy ${seconds(theirs)}, peak ${peerMb.toFixed(0)} MB\n`);
  const onTwo = ours.map((own) => own.onTwoThreads);
  process.stdout.write(`cell averaging on two threads ${seconds(onTwo)}\n`);
  // Processor time is moved less by other work on the machine; two threads are what the service uses on two cores.
  const cpu = (runs: readonly Run[]): number => median(runs.map(({ cpuMs }) => cpuMs));
  const elapsed = (runs: readonly Run[]): number => median(runs.map(({ ms }) => ms));
  printRatio("cfar-one-thread", cpu(theirs) / cpu(averaging), "scipy cell averaging, processor time");
  printRatio("cfar-k-one-thread", cpu(theirs) / cpu(textured), "scipy cell averaging, processor time");
  printRatio("cfar", elapsed(theirs) / elapsed(onTwo), "scipy cell averaging, elapsed time, two threads");
}

function detect(file: string): Ours {
  const script = join(import.meta.dirname, "children", "cfar.ts");
  const numbers = [SIDE, GUARD_PX, OUTER_PX, PFA, LOOKS].map(String);
  return JSON.parse(execFileSync(process.execPath, [script, file, ...numbers], { encoding: "utf8" })) as Ours;
}

/** Textured sea as float32, row by row. */
function writeSea(file: string): void {
  mkdirSync(FOLDER, { recursive: true });
  const uniform = seededUniform(11);
  const strip = new Float32Array(STRIP_ROWS * SIDE);
  const handle = openSync(file, "w");
  fillClutter(strip, LOOKS, 10, 0.01, uniform);
  for (let row = 0; row < SIDE; row += STRIP_ROWS) {
    // The pixels of one strip, shifted at random: drawing all 100 million would take longer than the measurement.
    const shift = Math.floor(uniform() * strip.length);
    writeSync(handle, Buffer.from(strip.buffer, 4 * shift));
    writeSync(handle, Buffer.from(strip.buffer, 0, 4 * shift));
  }
  closeSync(handle);
}
