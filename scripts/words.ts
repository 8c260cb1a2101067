/**
 * Holds prose to the rules of CONTRIBUTING ("Words"): files listed below whole, elsewhere the comments and Markdown
 * lines changed since this branch left main. `node scripts/words.ts PATH…` checks files whole and needs no git.
 */
import { globSync, readFileSync, statSync } from "node:fs";
import { baseCommit, changedLines } from "./words/changed-lines.ts";
import { commentProse, markdownProse, openApiProse } from "./words/prose.ts";
import { type Fault, proseFaults } from "./words/rules.ts";

/** Files and folders in plain English throughout. The list only grows. */
const CLEAN: readonly string[] = [
  "AGENTS.md",
  "CONTRIBUTING.md",
  "README.md",
  "docs",
  "packages/*/README.md",
  "packages/base",
  "packages/client",
  "packages/contract",
  "packages/maps/src/*.ts",
  "packages/maps/src/engine",
  "packages/maps/src/export",
  "packages/maps/src/geography",
  "packages/maps/src/planning",
  "packages/maps/src/render",
  "packages/maps/src/threads",
  "packages/raster",
  "packages/service/src/features/baselines",
  "packages/service/src/platform/config",
  "packages/service/src/platform/identity",
  "packages/service/src/providers",
  "packages/service/src/sources",
  "packages/simulator",
  "scripts/words",
  "scripts/words.ts",
];

/** The rules and their tests quote the words. */
const QUOTING: readonly string[] = ["scripts/words/rules.ts", "scripts/words/rules.test.ts"];

function faultsOf(path: string, isChecked?: (line: number) => boolean): readonly Fault[] {
  const source = readFileSync(path, "utf8");
  if (path.endsWith(".md")) return proseFaults(markdownProse(source), isChecked);
  if (path.endsWith("openapi.json")) return proseFaults(openApiProse(source), isChecked);
  return proseFaults(commentProse(source), isChecked);
}

function isProse(path: string): boolean {
  return /\.(?:md|[cm]?tsx?)$|docs\/openapi\.json$/.test(path) && !QUOTING.includes(path);
}

/** Files of a folder, or of a pattern. */
function filesOf(path: string): readonly string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return globSync(isFolder ? `${path}/**/*.{md,ts,tsx,json}` : path, { exclude: ["**/node_modules/**"] });
}

const wanted = process.argv.slice(2);
const whole = new Set((wanted.length > 0 ? wanted : CLEAN).flatMap(filesOf).filter(isProse));
const base = wanted.length > 0 ? null : baseCommit(".");
const changed = base === null ? new Map<string, (line: number) => boolean>() : changedLines(".", base);

let faults = 0;
function report(path: string, found: readonly Fault[]): void {
  for (const { line, message } of found) process.stdout.write(`${path}:${line}: ${message}\n`);
  faults += found.length;
}
for (const path of [...whole].toSorted()) report(path, faultsOf(path));
for (const [path, isChanged] of changed) {
  if (!whole.has(path) && isProse(path)) report(path, faultsOf(path, isChanged));
}
if (faults > 0) {
  process.stdout.write(`${faults} faults: see "Words" in CONTRIBUTING.md\n`);
  process.exitCode = 1;
}
