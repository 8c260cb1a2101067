import { readFileSync } from "node:fs";
import { cellAveragingMultiple } from "../../packages/kernel/src/analysis/cfar/cell-averaging.ts";
import { detectBright } from "../../packages/kernel/src/analysis/cfar/detect.ts";
import { kThresholds } from "../../packages/kernel/src/analysis/cfar/k-threshold.ts";
import { ringCells, type RingWindow } from "../../packages/kernel/src/analysis/cfar/ring-sums.ts";

/** `node cfar.ts FILE SIDE GUARD OUTER PFA LOOKS`: detects once by each method and prints a JSON line. */
const [file = "", ...numbers] = process.argv.slice(2);
const [side = 0, guardPx = 0, outerPx = 0, pfa = 0, looks = 0] = numbers.map(Number);
const ring: RingWindow = { guardPx, outerPx };
const bytes = readFileSync(file);
const power = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
const multiple = cellAveragingMultiple(pfa, looks, ringCells(ring));
const table = kThresholds(pfa, looks, ringCells(ring));
// Compiled before the clock starts, as numpy is.
detectBright(power.subarray(0, 400 * side), null, null, side, { ring, thresholds: multiple, greatestOf: false });
const averaging = measured(multiple);
const textured = measured(table);
process.stdout.write(
  `${JSON.stringify({ averaging, textured, multiple, peakMb: process.resourceUsage().maxRSS / 1024 })}\n`,
);

function measured(thresholds: Parameters<typeof detectBright>[4]["thresholds"]) {
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  const found = detectBright(power, null, null, side, { ring, thresholds, greatestOf: false });
  const ms = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  let hits = 0;
  for (let row = outerPx; row < side - outerPx; row++) {
    for (let i = row * side + outerPx; i < (row + 1) * side - outerPx; i++) hits += found[i]!;
  }
  return { ms, cpuMs: (user + system) / 1000, hits };
}
