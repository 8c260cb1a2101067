import assert from "node:assert/strict";
import { join } from "node:path";
import { run } from "../packages/cli/src/program.ts";
import { DEMO, type ServiceProcess } from "./service-process.ts";

/** The answer of a command. */
export interface CommandAnswer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into documents of every shape
  readonly json: any;
}

/** Runs the command line in this process as the demonstration user of a service, with no settings of this machine. */
export async function swath(service: ServiceProcess, ...args: readonly string[]): Promise<CommandAnswer> {
  let stdout = "";
  let stderr = "";
  const status = await run(args, {
    out: { write: (text) => (stdout += text) },
    err: { write: (text) => (stderr += text) },
    variables: {
      SWATH_CONFIG_HOME: join(service.folder, "no-such-folder"),
      SWATH_URL: service.baseUrl,
      SWATH_EMAIL: DEMO.email,
      SWATH_PASSWORD: DEMO.password,
    },
  });
  return { status, stdout, stderr, json: args.includes("--json") && stdout !== "" ? JSON.parse(stdout) : null };
}

/** The same, of a command that must succeed. */
export async function swathDone(service: ServiceProcess, ...args: readonly string[]): Promise<CommandAnswer> {
  const answer = await swath(service, ...args);
  assert.equal(answer.status, 0, `swath ${args.join(" ")}: ${answer.stderr}`);
  return answer;
}
