import { once } from "node:events";
import { text } from "node:stream/consumers";
import { distributionPostgres } from "./distribution-postgres.ts";
import { scenesOf, startChild } from "./searched-scenes.ts";
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

/**
 * Searches with exact ratios, as SQL on the embedded PostgreSQL and on the distribution's, then over HTTP against
 * stac-fastapi-pgstac. `--scenes 1000000` takes as many rows as the figures of bench/README.md.
 */
export async function run(): Promise<void> {
  const scenes = scenesOf(process.argv.slice(3));
  const worst = [print("embedded PostgreSQL", await measure(scenes, {}))];
  using postgres = distributionPostgres();
  const distribution = postgres === null ? {} : { DATABASE_URL_TEST: postgres.url };
  if (postgres === null)
    process.stdout.write("no PostgreSQL of the distribution is installed: measured on the embedded one only\n");
  else worst.push(print(postgres.version, await measure(scenes, distribution)));
  process.stdout.write(`over HTTP, ${postgres?.version ?? "embedded PostgreSQL"}\n`);
  const child = startChild("search-over-http.ts", scenes, distribution, "inherit");
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the searches over HTTP ended with ${code}`);
  printP95("search-all-time", Math.max(...worst.map(({ all }) => all)));
  printP95("search", Math.max(...worst.map(({ month }) => month)));
}

async function measure(scenes: number, environment: Readonly<Record<string, string>>): Promise<SearchFigures> {
  const child = startChild("search.ts", scenes, environment, "pipe");
  if (child.stdout === null) throw new Error("the standard output of the child is no pipe");
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
