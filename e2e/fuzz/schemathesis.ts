import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { FuzzWorld } from "./fuzz-world.ts";
import { installedSchemathesis, SCHEMATHESIS_VERSION, schemathesisOptions } from "./schemathesis-command.ts";
import { faultsIn, failsItselfAlone } from "./schemathesis-report.ts";
import { loggedErrors } from "./service-state.ts";

/** Examples of each operation. */
const EXAMPLES = 30;
/** Most time of the whole run. */
const MOST_SECONDS = 300;

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
    schemathesisOptions({
      documentUrl: `${baseUrl}/openapi.json`,
      token: world.token("administrator") ?? "",
      // The service checks its answers against their schemas itself; Schemathesis reads no `prefixItems` there.
      checks: ["not_a_server_error", "content_type_conformance"],
      examples: EXAMPLES,
      mostSeconds: MOST_SECONDS,
      seed,
      workers: 4,
    }),
    { cwd: world.service.folder, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NO_COLOR: "1" } },
  );
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [output, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const logged = loggedErrors(world.service).map((line) => `logged ${line}`);
  const report = `${output}${errors}`;
  const ownFaults = failsItselfAlone(report);
  const isFaultless = status === 0 || ownFaults > 0;
  const apart = ownFaults > 0 ? `; Python failed at ${ownFaults} operations` : "";
  onProgress(`schemathesis ${SCHEMATHESIS_VERSION}: ${isFaultless ? "no fault" : "faults"}${apart}`);
  return isFaultless ? logged : [`schemathesis\n${faultsIn(report)}`, ...logged];
}
