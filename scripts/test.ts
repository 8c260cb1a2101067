/**
 * Runs the test suites with Node's own runner: `npm test [unit|db|long|browser] [path filter …]`. A filter that begins with `!`
 * leaves out the files that match it.
 *
 * `unit` leaves out the `*.db.test.ts` and `e2e` files, `db` runs only those. Without a word everything runs but the
 * `*.long.test.ts` files, which take minutes, and the `*.browser.test.ts` files, which need a browser; `long` and
 * `browser` run only those.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { installExtra } from "./extras.ts";

const [first, ...rest] = process.argv.slice(2);
const suite = first === "unit" || first === "db" || first === "long" || first === "browser" ? first : "all";
const filters = suite === "all" && first !== undefined ? [first, ...rest] : rest;

const wanted = filters.filter((filter) => !filter.startsWith("!"));
const unwanted = filters.filter((filter) => filter.startsWith("!")).map((filter) => filter.slice(1));

const ofSuite = (file: string): boolean => {
  if (file.endsWith(".long.test.ts")) return suite === "long";
  if (file.endsWith(".browser.test.ts")) return suite === "browser";
  return suite !== "long" && suite !== "browser";
};
const needsDatabase = (file: string): boolean => file.endsWith(".db.test.ts") || file.startsWith("e2e/");
const files = globSync([
  "*.test.ts",
  "packages/*/{src,migrations}/**/*.test.ts",
  "bench/**/*.test.ts",
  "e2e/**/*.test.ts",
  "scripts/**/*.test.ts",
])
  .filter(ofSuite)
  .filter((file) => (suite !== "unit" && suite !== "db") || needsDatabase(file) === (suite === "db"))
  .filter((file) => wanted.length === 0 || wanted.some((filter) => file.includes(filter)))
  .filter((file) => !unwanted.some((filter) => file.includes(filter)))
  .toSorted();

if (files.length === 0) {
  process.stderr.write(`no test file matches ${JSON.stringify(filters)}\n`);
  process.exit(2);
}

// `npm ci` leaves out what runs models.
if (files.some((file) => file.includes("model"))) installExtra("models");

const startedFolders = mkdtempSync(join(tmpdir(), "swath-started-"));
const { status } = spawnSync(
  process.execPath,
  [
    "--test",
    `--test-reporter=${suite === "long" ? "./scripts/progress-reporter.ts" : "dot"}`,
    "--test-reporter-destination=stderr",
    "--test-reporter=./scripts/failures-reporter.ts",
    "--test-reporter-destination=stdout",
    // Suites wait for leases, time limits and programs: one file more than cores keeps the cores busy.
    `--test-concurrency=${1 + Math.max(2, availableParallelism())}`,
    // A test that takes 25 s alone took 205 s beside two others on a machine that was busy.
    `--test-timeout=${suite === "long" ? 3_600_000 : 600_000}`,
    ...files,
  ],
  // Each file and each service that it starts is a process: with their compiled modules kept, one starts in 1.1 instead of 1.5 s.
  {
    stdio: "inherit",
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, "..", "node_modules", ".cache", "test"),
      ...process.env,
      STARTED_FOLDERS_TEST: startedFolders,
    },
  },
);
rmSync(startedFolders, { recursive: true, force: true });
process.exit(status ?? 1);
