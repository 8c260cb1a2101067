import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { FuzzWorld } from "./fuzz-world.ts";
import { loggedErrors } from "./service-state.ts";

export const SCHEMATHESIS_VERSION = "4.32.5";
const ROOT = join(import.meta.dirname, "..", "..");
/** Examples of each operation. */
const EXAMPLES = 30;
/** Most time of the whole run. */
const MOST_SECONDS = 300;
const SHOWN_CHARACTERS = 8000;

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

/**
 * Attacks the service with Schemathesis, which reads nothing but its OpenAPI document.
 *
 * @returns faults; none where Schemathesis cannot be installed
 */
export async function runSchemathesis(
  world: FuzzWorld,
  seed: number,
  onProgress: (line: string) => void,
): Promise<readonly string[]> {
  const command = installedSchemathesis();
  if (command === null) {
    onProgress(
      `schemathesis ${SCHEMATHESIS_VERSION} did not run: it needs Python 3 with venv, and PyPI at its first use`,
    );
    return [];
  }
  await world.restore();
  const { baseUrl } = world.service;
  const child = spawn(
    command,
    [
      "run",
      `${baseUrl}/openapi.json`,
      "--header",
      `Authorization: Bearer ${world.token("administrator")}`,
      // The service checks its answers against their schemas itself; Schemathesis reads no `prefixItems` there.
      "--checks",
      "not_a_server_error,content_type_conformance",
      "--max-examples",
      String(EXAMPLES),
      "--seed",
      String(seed),
      "--workers",
      "4",
      "--phases",
      "examples,coverage,fuzzing",
      "--suppress-health-check",
      "all",
      "--max-time",
      String(MOST_SECONDS),
      "--request-timeout",
      "60",
      "--generation-database",
      "none",
      "--continue-on-failure",
      "--no-color",
    ],
    { cwd: world.service.folder, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NO_COLOR: "1" } },
  );
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [output, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  onProgress(`schemathesis ${SCHEMATHESIS_VERSION}: ${status === 0 ? "no fault" : "faults"}`);
  const logged = loggedErrors(world.service).map((line) => `logged ${line}`);
  return status === 0 ? logged : [`schemathesis\n${`${output}${errors}`.slice(-SHOWN_CHARACTERS)}`, ...logged];
}
