import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { keepAlive } from "./keep-alive.ts";
import { OUT_OF_MEMORY } from "./memory-watch.ts";
import { limitProcessTime } from "./process-time-limit.ts";
import type { FromJobProcess, ToJobProcess } from "./serve-jobs.ts";
import { yieldMemoryFirst } from "./yield-memory-first.ts";
import { StoreFaultError } from "../blobs/store-fault.ts";

/** Thrown for a job that its process did not survive: it took too long or too much memory, or crashed native code. */
export class JobLimitError extends Error {
  override readonly name = "JobLimitError";
  readonly limit: "time" | "memory" | "crash";

  constructor(limit: JobLimitError["limit"], message: string) {
    super(message);
    this.limit = limit;
  }
}

export interface JobProcessesOptions {
  /** The module of the process; it calls `serveJobs`. */
  readonly entry: URL;
  /** Verb and object of the jobs, for messages: "reads files". */
  readonly does: string;
  /** Most resident memory of a process, Node included, which takes 100 MB. */
  readonly memoryBytes: number;
  /** The environment of the processes; empty unless given. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Idle processes that are kept for the next job. */
  readonly maxIdle: number;
}

export interface ProcessJob<Message> {
  readonly input: unknown;
  /** Most time of the job, as of `limitProcessTime`, unless a message of the job changes it. */
  readonly timeoutMs: number;
  /** Receives what the job tells. `allowMs` sets the most time of the job, from its start. */
  readonly onMessage?: (message: Message, allowMs: (timeoutMs: number) => void) => void;
}

interface JobProcess {
  readonly child: ChildProcess;
  stderr: string;
  idleTimer: NodeJS.Timeout | null;
}

/** A process without a job for so long ends. */
const IDLE_MS = 60_000;
/** A process that holds so much after its job ends: the allocator gives little back to the system. */
const RETIRE_RSS_BYTES = 512 * 2 ** 20;
/** Length of the kept end of the error output of a process. */
const MAX_STDERR_CHARS = 4000;
const CRASHES: ReadonlySet<string> = new Set(["SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGTRAP"]);

/**
 * Processes that each run one job at a time and can be ended whatever it does. A job has a limit of time, a process a
 * limit of memory that holds for native code as well. Processes stay warm: a start costs more than a small job.
 */
export class JobProcesses implements AsyncDisposable {
  readonly #options: JobProcessesOptions;
  readonly #idle: JobProcess[] = [];
  readonly #started = new Set<JobProcess>();

  constructor(options: JobProcessesOptions) {
    this.#options = options;
  }

  /** The living processes, to be watched. */
  get pids(): readonly number[] {
    return [...this.#started].flatMap(({ child }) => child.pid ?? []);
  }

  /**
   * Runs a job in an idle process, or in a new one. When the signal aborts, the process ends before the promise rejects.
   *
   * @throws {JobLimitError}; an Error with the message of a failed job; the reason of the signal
   */
  async run<Message, Output>(job: ProcessJob<Message>, signal: AbortSignal): Promise<Output> {
    signal.throwIfAborted();
    const one = this.#idle.pop() ?? this.#start();
    if (one.idleTimer !== null) clearTimeout(one.idleTimer);
    let answer: Exclude<FromJobProcess, { kind: "told" }>;
    try {
      answer = await this.#answerOf(one, job, signal);
    } catch (error) {
      await this.#end(one);
      throw error;
    }
    if (answer.rssBytes > RETIRE_RSS_BYTES || this.#idle.length >= this.#options.maxIdle) await this.#end(one);
    else this.#rest(one);
    if (answer.kind === "done") return answer.output as Output;
    const { message, stack: cause, storeFault } = answer;
    throw storeFault === null ? new Error(message, { cause }) : new StoreFaultError(storeFault, message, { cause });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#started].map((one) => this.#end(one)));
  }

  async #answerOf<Message>(
    one: JobProcess,
    job: ProcessJob<Message>,
    signal: AbortSignal,
  ): Promise<Exclude<FromJobProcess, { kind: "told" }>> {
    const { child } = one;
    const { does } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<Exclude<FromJobProcess, { kind: "told" }>>();
    using time = limitProcessTime(child.pid, job.timeoutMs, (timeoutMs) =>
      reject(new JobLimitError("time", `the process that ${does} took more than ${timeoutMs} ms`)),
    );
    const onMessage = (message: unknown): void => {
      const answer = message as FromJobProcess;
      if (answer.kind === "told") job.onMessage?.(answer.message as Message, time.allowMs);
      else resolve(answer);
    };
    const onAbort = (): void => reject(signal.reason);
    // Unlike "exit", "close" comes when all that was written has been read.
    const onClose = (code: number | null, ending: string | null): void => reject(this.#reasonOfEnd(one, code, ending));
    child.on("message", onMessage).on("error", reject).on("close", onClose);
    signal.addEventListener("abort", onAbort, { once: true });
    keepAlive(child, true);
    const message: ToJobProcess = { input: job.input };
    child.send(message);
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
      child.off("message", onMessage).off("error", reject).off("close", onClose);
    }
  }

  #reasonOfEnd({ stderr }: JobProcess, code: number | null, ending: string | null): Error {
    const { does, memoryBytes } = this.#options;
    if (stderr.includes(OUT_OF_MEMORY) || stderr.includes("JavaScript heap out of memory")) {
      return new JobLimitError("memory", `the process that ${does} took more than ${memoryBytes} bytes of memory`);
    }
    const how = `the process that ${does} ended with ${ending ?? `the code ${code}`}`;
    return ending !== null && CRASHES.has(ending) ? new JobLimitError("crash", how) : new Error(`${how}: ${stderr}`);
  }

  #start(): JobProcess {
    const { entry, environment = {}, memoryBytes } = this.#options;
    const child = fork(entry, [String(memoryBytes)], {
      env: environment,
      execArgv: ["--no-warnings"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const one: JobProcess = { child, stderr: "", idleTimer: null };
    this.#started.add(one);
    if (child.pid !== undefined) yieldMemoryFirst(child.pid);
    child.stderr?.on("data", (chunk: Buffer) => {
      one.stderr = (one.stderr + chunk.toString()).slice(-MAX_STDERR_CHARS);
    });
    // A process that breaks between two jobs is not used again.
    child.on("error", () => {});
    child.on("exit", () => this.#forget(one));
    return one;
  }

  #rest(one: JobProcess): void {
    if (!this.#started.has(one)) return;
    keepAlive(one.child, false);
    one.idleTimer = setTimeout(() => void this.#end(one), IDLE_MS);
    one.idleTimer.unref();
    this.#idle.push(one);
  }

  #forget(one: JobProcess): void {
    this.#started.delete(one);
    const place = this.#idle.indexOf(one);
    if (place >= 0) this.#idle.splice(place, 1);
  }

  async #end(one: JobProcess): Promise<void> {
    const { child } = one;
    this.#forget(one);
    if (one.idleTimer !== null) clearTimeout(one.idleTimer);
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.ref();
    child.kill("SIGKILL");
    await ended;
  }
}
