import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Output of a block. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  /** Whether all commands succeeded. */
  readonly ok: boolean;
}

const END = "end-of-the-block";
const READY_WITHIN_MS = 300_000;
const STOP_WITHIN_MS = 60_000;

/** The terminals of a reader: one for the service, and one for all other commands of a page, which keeps its variables. */
export class ShellSession implements AsyncDisposable {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #shell: ChildProcess;
  readonly #port: number;
  readonly #closed: Promise<unknown>;
  #service: ChildProcess | null = null;
  #stdout = "";
  #stderr = "";

  /** @param port where services listen */
  constructor(folder: string, environment: NodeJS.ProcessEnv, port: number) {
    this.#folder = folder;
    this.#environment = environment;
    this.#port = port;
    this.#shell = spawn("bash", ["-eo", "pipefail"], { cwd: folder, env: environment, detached: true });
    this.#closed = once(this.#shell, "close");
    this.#shell.stdout?.setEncoding("utf8").on("data", (chunk: string) => (this.#stdout += chunk));
    this.#shell.stderr?.setEncoding("utf8").on("data", (chunk: string) => (this.#stderr += chunk));
  }

  /** Runs commands in the terminal of the page. */
  async run(commands: string): Promise<Printed> {
    [this.#stdout, this.#stderr] = ["", ""];
    const { stdin, stdout } = this.#shell;
    if (stdin === null || stdout === null) throw new Error("the shell has no pipes");
    const script = join(this.#folder, ".tutorial-block.sh");
    writeFileSync(script, `${commands}\n`);
    stdin.write(`. ${script} </dev/null; echo ${END}\n`);
    while (!this.#stdout.endsWith(`${END}\n`)) {
      if (this.#shell.exitCode !== null) return { stdout: this.#stdout, stderr: this.#stderr, ok: false };
      await Promise.race([once(stdout, "data"), this.#closed]);
    }
    return { stdout: this.#stdout.slice(0, -END.length - 1), stderr: this.#stderr, ok: true };
  }

  /** Starts a service in the other terminal, in place of an earlier one, and waits until it is ready. */
  async serve(command: string): Promise<Printed> {
    await this.#stopService();
    const service = spawn("bash", ["-c", command], {
      cwd: this.#folder,
      env: { ...this.#environment, SWATH_PORT: String(this.#port) },
      detached: true,
    });
    this.#service = service;
    let [stdout, stderr] = ["", ""];
    service.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    service.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
    const closed = once(service, "close");
    const deadline = AbortSignal.timeout(READY_WITHIN_MS);
    const late = once(deadline, "abort");
    while (!/ is ready at /.test(stdout)) {
      if (service.exitCode !== null || deadline.aborted) return { stdout, stderr, ok: false };
      await Promise.race([once(service.stdout, "data"), closed, late]);
    }
    // The default port of a reader; here others may listen there.
    await this.run(`export SWATH_URL=http://127.0.0.1:${this.#port}`);
    return { stdout, stderr, ok: true };
  }

  async #stopService(): Promise<void> {
    if (this.#service !== null) await stopGroup(this.#service);
    this.#service = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stopService();
    await stopGroup(this.#shell);
  }
}

/** Ends a process and its children: an interrupt first, as Ctrl+C sends it. */
async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "close");
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), STOP_WITHIN_MS);
  signalGroup(child, "SIGTERM");
  await ended;
  clearTimeout(timer);
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
