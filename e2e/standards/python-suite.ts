import { join } from "node:path";
import { finished, lastLine } from "./finished.ts";
import type { StandardRun } from "./standard-run.ts";

const SHOWN_CHARACTERS = 4000;

/** A script of this folder, which ends with 0 and states its figures in the last line when all of it holds. */
export async function runPython(
  python: string,
  script: string,
  args: readonly string[],
  described: Pick<StandardRun, "client" | "ran">,
  environment: Readonly<Record<string, string>> = {},
): Promise<StandardRun> {
  const ended = await finished(python, [join(import.meta.dirname, script), ...args], environment);
  if (ended.code !== 0) process.stdout.write(`${ended.log.slice(-SHOWN_CHARACTERS)}\n`);
  return { ...described, outcome: ended.code === 0 ? "passed" : "failed", result: lastLine(ended) };
}
