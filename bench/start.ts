import { readFileSync } from "node:fs";
import { readdirSync } from "node:fs";
import { DEMO, ServiceProcess } from "../e2e/service-process.ts";
import { RawClient } from "../e2e/raw-client.ts";
import { median, printP95, quantile } from "./statistics.ts";

const ROUNDS = 7;

/** Warm start to the first answer, and memory of the idle service with its database. */
export async function run(): Promise<void> {
  await using service = await ServiceProcess.start();
  await new RawClient(service.baseUrl).login(DEMO);
  const durations: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await service.stop();
    durations.push(await service.start());
  }
  const memoryMb = processTreeMb(service.pid);
  process.stdout.write(`warm start median ${median(durations).toFixed(0)} ms\n`);
  process.stdout.write(
    `idle memory ${memoryMb.toFixed(0)} MB (proportional set size of the service and its PostgreSQL)\n`,
  );
  printP95("start", quantile(durations, 0.95));
}

/** Proportional set size of a process and all below it, and of the postmaster it started in its own session. */
function processTreeMb(root: number): number {
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const status = readFileSync(`/proc/${entry}/status`, "utf8");
      parents.set(Number(entry), Number(/^PPid:\t(\d+)/m.exec(status)?.[1] ?? 0));
    } catch {
      // The process ended between the listing and the reading.
    }
  }
  const belongs = (pid: number): boolean => pid === root || (parents.has(pid) && belongs(parents.get(pid) ?? 0));
  let kilobytes = 0;
  for (const pid of parents.keys()) {
    if (!belongs(pid)) continue;
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
  }
  return kilobytes / 1024;
}
