import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

export const SCHEMATHESIS_VERSION = "4.32.5";
const ROOT = join(import.meta.dirname, "..", "..");
/** Addresses whose body is ndjson, which Schemathesis cannot write. `e2e/registered-items.test.ts` sends refused lines. */
const WITH_NDJSON = "^/stac/collections/[{]collectionId[}]/import$";

/** What to ask of a service, and how much. */
export interface SchemathesisRun {
  readonly documentUrl: string;
  readonly token: string;
  readonly checks: readonly string[];
  /** A regular expression of the addresses to ask; all without it. */
  readonly only?: string;
  /** Examples of each operation. */
  readonly examples: number;
  /** Most time of the whole run. */
  readonly mostSeconds: number;
  readonly seed: number;
  readonly workers: number;
}

/** The command of Schemathesis, installed from PyPI at its first use; null without Python or without PyPI. */
export function installedSchemathesis(): string | null {
  const folder = join(ROOT, "node_modules", ".cache", `schemathesis-${SCHEMATHESIS_VERSION}`);
  const command = join(folder, "bin", "st");
  if (existsSync(command)) return command;
  const made = spawnSync("python3", ["-m", "venv", folder], { stdio: "ignore" });
  if (made.status !== 0) return null;
  const pip = join(folder, "bin", "pip");
  const options = ["install", "--quiet", "--disable-pip-version-check", `schemathesis==${SCHEMATHESIS_VERSION}`];
  return spawnSync(pip, options, { stdio: "ignore" }).status === 0 ? command : null;
}

/** Arguments of the command: three kinds of generated requests, all faults and not only the first. */
export function schemathesisOptions(run: SchemathesisRun): readonly string[] {
  return [
    "run",
    run.documentUrl,
    "--header",
    `Authorization: Bearer ${run.token}`,
    "--checks",
    run.checks.join(","),
    ...(run.only === undefined ? [] : ["--include-path-regex", run.only]),
    "--exclude-path-regex",
    WITH_NDJSON,
    "--max-examples",
    String(run.examples),
    "--seed",
    String(run.seed),
    "--workers",
    String(run.workers),
    "--phases",
    "examples,coverage,fuzzing",
    "--suppress-health-check",
    "all",
    "--max-time",
    String(run.mostSeconds),
    "--request-timeout",
    "60",
    "--generation-database",
    "none",
    "--continue-on-failure",
    "--no-color",
  ];
}
