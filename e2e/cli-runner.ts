import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../packages/cli/src/program.ts";
import type { ServiceProcess } from "./service-process.ts";

/** Output and exit code of a command line. */
interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line against a service, as one user, with a folder for its settings and the files of a test. */
export interface CommandLine extends AsyncDisposable {
  readonly folder: string;
  /** Command lines so far. */
  readonly lines: readonly string[];
  run(...args: readonly string[]): Promise<Ran>;
  /** The document of a command that succeeds. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a black-box suite reads whatever JSON arrives
  json(...args: readonly string[]): Promise<any>;
}

export async function openCommandLine(
  service: ServiceProcess,
  user: { readonly email: string; readonly password: string },
): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), "swath-command-line-"));
  const variables = {
    SWATH_URL: service.baseUrl,
    SWATH_EMAIL: user.email,
    SWATH_PASSWORD: user.password,
    SWATH_CONFIG_HOME: join(folder, "settings"),
    NO_COLOR: "1",
  };
  const lines: string[] = [];
  const runLine = async (...args: readonly string[]): Promise<Ran> => {
    lines.push(args.filter((arg) => arg !== "--json").join(" "));
    let stdout = "";
    let stderr = "";
    const out = { write: (text: string) => (stdout += text) };
    const err = { write: (text: string) => (stderr += text) };
    return { status: await run(args, { out, err, variables }), stdout, stderr };
  };
  return {
    folder,
    lines,
    run: runLine,
    async json(...args) {
      const { status, stdout, stderr } = await runLine("--json", ...args);
      if (status !== 0) throw new Error(`swath ${args.join(" ")} ended with ${status}: ${stderr}`);
      return JSON.parse(stdout);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
