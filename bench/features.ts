import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { distributionPostgres } from "./distribution-postgres.ts";
import { printP95 } from "./statistics.ts";

interface FeatureFigures {
  readonly features: number;
  readonly perSecond: number;
  readonly bestPerSecond: number;
  readonly cases: readonly {
    readonly name: string;
    readonly p50Ms: number;
    readonly p95Ms: number;
    readonly rows: number;
  }[];
}

/** Queries on a million features and batches that create them, on the embedded PostgreSQL and on the distribution's. */
export async function run(): Promise<void> {
  const embedded = print("embedded PostgreSQL", await measure({}));
  using postgres = distributionPostgres();
  if (postgres === null) {
    process.stdout.write("no PostgreSQL of the distribution is installed: measured on the embedded one only\n");
  } else {
    print(postgres.version, await measure({ DATABASE_URL_TEST: postgres.url }));
  }
  printP95("features", embedded);
}

async function measure(environment: Readonly<Record<string, string>>): Promise<FeatureFigures> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "children", "features.ts")], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return JSON.parse(output);
}

function print(server: string, { features, perSecond, bestPerSecond, cases }: FeatureFigures): number {
  process.stdout.write(
    `${server}: ${features} features created, ${perSecond.toFixed(0)} per second, ` +
      `${bestPerSecond.toFixed(0)} in the best tenth\n`,
  );
  for (const { name, p50Ms, p95Ms, rows } of cases) {
    process.stdout.write(
      `  ${name}: p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms, ${rows.toFixed(1)} features\n`,
    );
  }
  return Math.max(...cases.map(({ p95Ms }) => p95Ms));
}
