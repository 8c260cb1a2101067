import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { silentLog } from "../packages/base/src/log/log.ts";
import { startEmbeddedPostgres } from "../packages/service/src/platform/postgres/embedded/embedded-postgres.ts";
import { distributionPostgres } from "./distribution-postgres.ts";
import { printP95 } from "./statistics.ts";

interface Rate {
  readonly perSecond: number;
  readonly p95Ms: number;
}

interface Latency {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

interface LedgerFigures {
  readonly manyGroups: Rate;
  readonly oneGroup: Rate;
  readonly oneScene: Rate;
  readonly small: Latency;
  readonly large: Latency;
}

/** Allocations per second and against a crowded scene; both servers wait for the disk at every commit. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "swath-bench-ledger-"));
  const worst: number[] = [];
  try {
    await using embedded = await startEmbeddedPostgres({ dataFolder: folder, log: silentLog });
    worst.push(print("embedded PostgreSQL", await measure(embedded.url)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  using postgres = distributionPostgres();
  if (postgres === null)
    process.stdout.write("no PostgreSQL of the distribution is installed: measured on the embedded one only\n");
  else worst.push(print(postgres.version, await measure(postgres.url)));
  printP95("ledger", Math.max(...worst));
}

async function measure(url: string): Promise<LedgerFigures> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "children", "ledger.ts")], {
    env: { ...process.env, DATABASE_URL_TEST: url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return JSON.parse(output);
}

function rate({ perSecond, p95Ms }: Rate): string {
  return `${perSecond.toFixed(0)}/s, p95 ${p95Ms.toFixed(1)} ms`;
}

function latency({ p50Ms, p95Ms }: Latency): string {
  return `p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms`;
}

function print(server: string, { manyGroups, oneGroup, oneScene, small, large }: LedgerFigures): number {
  process.stdout.write(
    `${server}\n` +
      `  1000 groups, 200 scenes: ${rate(manyGroups)}\n` +
      `  one group, 200 scenes: ${rate(oneGroup)}\n` +
      `  one group, one scene, its first 10,000 allocations: ${rate(oneScene)}\n` +
      `  the next, against these, meeting about 9 of them: ${latency(small)}\n` +
      `  and meeting about 230 of them: ${latency(large)}\n`,
  );
  return small.p95Ms;
}
