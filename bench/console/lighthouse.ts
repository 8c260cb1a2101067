import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { browserPath } from "../../e2e/browser/open-console.ts";
import { installExtra } from "../../scripts/extras.ts";
import { median } from "../statistics.ts";
import type { Budget } from "./budget.ts";

const LIMITS = { performance: 0.95, accessibility: 1, "best-practices": 1 } as const;
const MAX_REPORT_BYTES = 2 ** 26;

type Category = keyof typeof LIMITS;

const CATEGORIES = Object.keys(LIMITS) as readonly Category[];
const RUNS = 5;

/** Audits a page as a desktop opens it. Scores of one page differ by 0.06 from run to run: the median counts. */
export async function lighthouse(name: string, address: string): Promise<readonly Budget[]> {
  const runs: (readonly number[])[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await scores(address));
  return CATEGORIES.map((category, at) => ({
    name: `Lighthouse of ${name}, ${category}`,
    figure: median(runs.map((of) => of[at] ?? Number.NaN)),
    unit: "of 1",
    limit: LIMITS[category],
    kind: "least",
  }));
}

async function scores(address: string): Promise<readonly number[]> {
  const program = join(installExtra("lighthouse"), "lighthouse", "cli", "index.js");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      program,
      address,
      "--preset=desktop",
      "--quiet",
      "--output=json",
      `--only-categories=${CATEGORIES.join()}`,
      "--chrome-flags=--headless=new --no-sandbox",
    ],
    { env: { ...process.env, CHROME_PATH: browserPath() }, maxBuffer: MAX_REPORT_BYTES },
  );
  const report = JSON.parse(stdout) as {
    readonly categories: Readonly<Record<Category, { readonly score: number }>>;
  };
  return CATEGORIES.map((category) => report.categories[category].score);
}
