import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const LONGEST_MS = 300_000;

export interface Finished {
  readonly code: number;
  /** The output of the program: errors, then the rest. */
  readonly log: string;
}

/** Runs a program to its end. */
export async function finished(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd: string = process.cwd(),
): Promise<Finished> {
  try {
    const { stderr, stdout } = await run(command, args, {
      maxBuffer: 64 * 1024 * 1024,
      timeout: LONGEST_MS,
      cwd,
      env: { ...process.env, ...environment },
    });
    return { code: 0, log: `${stderr}\n${stdout}` };
  } catch (error) {
    const { code, stderr = "", stdout = "" } = error as { code?: unknown; stderr?: string; stdout?: string };
    return { code: typeof code === "number" ? code : 1, log: `${stderr}\n${stdout}` };
  }
}

/** The last line of a program, which states its result. */
export function lastLine({ log }: Finished): string {
  return (log.trim().split("\n").at(-1) ?? "").slice(0, 200);
}
