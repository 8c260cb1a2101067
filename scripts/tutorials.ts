/**
 * Runs the command blocks of README and tutorials as a reader would: `npm run test:tutorials [-- page…]`. The blocks run
 * in a copy of the sources in an empty folder, with the packages that `npm ci` installs there.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runPage } from "./tutorials/run-page.ts";
import { copySources } from "./walk-through/copy-tree.ts";

const ROOT = join(import.meta.dirname, "..");
const filters = process.argv.slice(2);
/** Pages of features whose commands run, too. */
const FEATURES = [
  "docs/analyses.md",
  "docs/datacube.md",
  "docs/events.md",
  "docs/monitors.md",
  "docs/statistics.md",
  "docs/tasking.md",
];
const pages = ["README.md", ...globSync("docs/tutorials/*.md", { cwd: ROOT }).toSorted(), ...FEATURES].filter(
  (page) => filters.length === 0 || filters.some((filter) => page.toLowerCase().includes(filter.toLowerCase())),
);
if (pages.length === 0) {
  process.stderr.write(`no page matches ${JSON.stringify(filters)}\n`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "swath-tutorials-"));
try {
  process.exitCode = (await runPages()) === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs the pages one after the other; how many failed. */
async function runPages(): Promise<number> {
  copySources(folder);
  const kept = new Set([...readdirSync(folder), "node_modules"]);
  // The first command of the README installs.
  if (!pages.includes("README.md")) install();
  let [passed, leftOut, failed] = [0, 0, 0];
  for (const page of pages) {
    for await (const block of runPage(page, folder)) {
      const place = `${page}:${block.line}`;
      if (block.leftOut !== null) {
        leftOut += 1;
        process.stdout.write(`left out ${place}: ${block.leftOut} is not installed\n`);
      } else if (block.fault === null) {
        passed += 1;
        process.stdout.write(`ok ${place} (${block.seconds.toFixed(1)} s)\n`);
      } else {
        failed += 1;
        process.stdout.write(`FAILED ${place} (${block.seconds.toFixed(1)} s)\n${block.fault}\n`);
      }
    }
    clear(kept);
  }
  process.stdout.write(`tutorials ${passed} blocks passed, ${failed} failed, ${leftOut} left out\n`);
  return failed;
}

function install(): void {
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
  if (status !== 0) throw new Error(`npm ci ended with ${status}`);
}

/** Removes what a page has made: each begins in a fresh copy. */
function clear(kept: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) {
    if (!kept.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
