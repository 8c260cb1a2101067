import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { browserPath } from "../../e2e/browser/open-console.ts";
import { installExtra } from "../../scripts/extras.ts";
import type { Budget } from "./budget.ts";

const LIMITS = { performance: 0.95, accessibility: 1, "best-practices": 1 } as const;
const MAX_REPORT_BYTES = 2 ** 26;

type Category = keyof typeof LIMITS;

/** Audits a page as a desktop opens it. */
export async function lighthouse(name: string, address: string): Promise<readonly Budget[]> {
  const program = join(installExtra("lighthouse"), "lighthouse", "cli", "index.js");
  const categories = Object.keys(LIMITS) as readonly Category[];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      program,
      address,
      "--preset=desktop",
      "--quiet",
      "--output=json",
      `--only-categories=${categories.join()}`,
      "--chrome-flags=--headless=new --no-sandbox",
    ],
    { env: { ...process.env, CHROME_PATH: browserPath() }, maxBuffer: MAX_REPORT_BYTES },
  );
  const report = JSON.parse(stdout) as {
    readonly categories: Readonly<Record<Category, { readonly score: number }>>;
  };
  return categories.map((category) => ({
    name: `Lighthouse of ${name}, ${category}`,
    figure: report.categories[category].score,
    unit: "of 1",
    limit: LIMITS[category],
    kind: "least",
  }));
}
