import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { printP95 } from "./statistics.ts";

interface MergedFigures {
  readonly scenes: number;
  readonly insertSeconds: number;
  readonly cases: readonly {
    readonly name: string;
    readonly p50Ms: number;
    readonly p95Ms: number;
    readonly rows: number;
    readonly remote: number;
  }[];
}

/** Searches over five datasets, three of a table of a million scenes and two of the simulator, 200 results each. */
export async function run(): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "children", "merged-search.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const { scenes, insertSeconds, cases }: MergedFigures = JSON.parse(output);
  process.stdout.write(`${scenes} scenes inserted in ${insertSeconds.toFixed(0)} s\n`);
  for (const { name, p50Ms, p95Ms, rows, remote } of cases) {
    process.stdout.write(
      `  ${name}: p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms, ` +
        `${rows.toFixed(1)} scenes, ${remote.toFixed(1)} of them simulated\n`,
    );
  }
  printP95("merged-search", Math.max(...cases.map(({ p95Ms }) => p95Ms)));
}
