import { closeSync, openSync, readSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { cellAveragingMultiple } from "../../packages/maps/src/analysis/cfar/cell-averaging.ts";
import { detectBright, type CfarOptions } from "../../packages/maps/src/analysis/cfar/detect.ts";
import { kThresholds } from "../../packages/maps/src/analysis/cfar/k-threshold.ts";
import { ringCells, type RingWindow } from "../../packages/maps/src/analysis/cfar/ring-sums.ts";

interface Half {
  readonly power: Float32Array;
  readonly side: number;
  readonly ring: RingWindow;
  /** Rows it answers for. */
  readonly from: number;
  readonly to: number;
}

/** Detections of some rows, but those within a ring of the image's rim. */
function hitsOf({ power, side, ring, from, to }: Half, thresholds: CfarOptions["thresholds"]): number {
  const { outerPx } = ring;
  const first = Math.max(0, from - outerPx);
  const part = power.subarray(first * side, Math.min(side, to + outerPx) * side);
  const found = detectBright(part, null, null, side, { ring, thresholds, greatestOf: false });
  let hits = 0;
  for (let row = Math.max(from, outerPx); row < Math.min(to, side - outerPx); row++) {
    const start = (row - first) * side;
    for (let i = start + outerPx; i < start + side - outerPx; i++) hits += found[i]!;
  }
  return hits;
}

/** Compiled before the clock starts, as numpy is. */
function warmUp(half: Half, thresholds: readonly CfarOptions["thresholds"][]): void {
  for (const threshold of thresholds) hitsOf({ ...half, from: 0, to: 400 }, threshold);
}

async function measured(run: () => Promise<number> | number) {
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  const hits = await run();
  const ms = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000, hits };
}

/** `node cfar.ts FILE SIDE GUARD OUTER PFA LOOKS`: detects by each method on one and on two threads, prints a JSON line. */
async function main(): Promise<void> {
  const [file = "", ...numbers] = process.argv.slice(2);
  const [side = 0, guardPx = 0, outerPx = 0, pfa = 0, looks = 0] = numbers.map(Number);
  const ring: RingWindow = { guardPx, outerPx };
  const shared = new SharedArrayBuffer(4 * side * side);
  const bytes = new Uint8Array(shared);
  const handle = openSync(file, "r");
  for (let at = 0; at < bytes.length;) at += readSync(handle, bytes, at, Math.min(2 ** 26, bytes.length - at), null);
  closeSync(handle);
  const all: Half = { power: new Float32Array(shared), side, ring, from: 0, to: side };
  const multiple = cellAveragingMultiple(pfa, looks, ringCells(ring));
  const table = kThresholds(pfa, looks, ringCells(ring));
  const middle = Math.floor(side / 2);
  const second = new Worker(new URL(import.meta.url), { workerData: { ...all, from: middle } });
  const answer = async (message: unknown): Promise<number> =>
    new Promise((resolve) => {
      second.once("message", resolve);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      second.postMessage(message);
    });
  warmUp(all, [multiple, table]);
  await answer({ warmUp: [multiple, table] });
  const onTwo = async (thresholds: CfarOptions["thresholds"]): Promise<number> => {
    const theirs = answer({ thresholds });
    return hitsOf({ ...all, to: middle }, thresholds) + (await theirs);
  };
  const averaging = await measured(() => hitsOf(all, multiple));
  const textured = await measured(() => hitsOf(all, table));
  const onTwoThreads = await measured(async () => onTwo(multiple));
  await second.terminate();
  const peakMb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(`${JSON.stringify({ averaging, textured, onTwoThreads, multiple, peakMb })}\n`);
}

function serve(): void {
  const half = workerData as Half;
  parentPort?.on(
    "message",
    (message: {
      readonly warmUp?: readonly CfarOptions["thresholds"][];
      readonly thresholds?: CfarOptions["thresholds"];
    }) => {
      if (message.warmUp !== undefined) warmUp(half, message.warmUp);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      parentPort?.postMessage(message.thresholds === undefined ? 0 : hitsOf(half, message.thresholds));
    },
  );
}

if (isMainThread) await main();
else serve();
