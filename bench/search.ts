import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { distributionPostgres } from "./distribution-postgres.ts";
import { printP95 } from "./statistics.ts";

interface SearchFigures {
  readonly scenes: number;
  readonly insertSeconds: number;
  readonly cases: readonly {
    readonly sideKm: number;
    readonly span: "month" | "all";
    readonly minIntersection: number;
    readonly p50Ms: number;
    readonly p95Ms: number;
    readonly rows: number;
  }[];
}

/** Searches over a million scenes with exact ratios, on the embedded PostgreSQL and on the distribution's. */
export async function run(): Promise<void> {
  const worst = [print("embedded PostgreSQL", await measure({}))];
  using postgres = distributionPostgres();
  if (postgres === null)
    process.stdout.write("no PostgreSQL of the distribution is installed: measured on the embedded one only\n");
  else worst.push(print(postgres.version, await measure({ DATABASE_URL_TEST: postgres.url })));
  printP95("search-all-time", Math.max(...worst.map(({ all }) => all)));
  printP95("search", Math.max(...worst.map(({ month }) => month)));
}

async function measure(environment: Readonly<Record<string, string>>): Promise<SearchFigures> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "children", "search.ts")], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return JSON.parse(output);
}

function print(server: string, { scenes, insertSeconds, cases }: SearchFigures): { month: number; all: number } {
  process.stdout.write(`${server}: ${scenes} scenes inserted in ${insertSeconds.toFixed(0)} s\n`);
  for (const { sideKm, span, minIntersection, p50Ms, p95Ms, rows } of cases) {
    process.stdout.write(
      `  ${sideKm} km, ${span === "all" ? "all time" : "one month"}, ratio >= ${minIntersection}: ` +
        `p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms, ${rows.toFixed(1)} scenes\n`,
    );
  }
  const worst = (span: "month" | "all"): number =>
    Math.max(...cases.filter((one) => one.span === span).map(({ p95Ms }) => p95Ms));
  return { month: worst("month"), all: worst("all") };
}
