import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../raw-client.ts";
import { outcomeOf, type Accepted, type Journal } from "./journal.ts";

const REQUEST_TIMEOUT_MS = 60_000;
const PAUSE_MS = 200;
const WAIT_SECONDS = 5;
/** Answers that ask for another attempt. */
const PASSING = new Set([429, 502, 503, 504]);

/** An answer other than JSON has its bytes as body. */
export interface BinaryAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/**
 * A client that repeats a request until the service answers it: after a broken connection, and after 503. Each other
 * 5xx is a fault, because the service knows that its database is away.
 */
export class StubbornClient {
  readonly baseUrl: string;
  readonly journal: Journal;
  readonly #token: string;
  readonly #giveUp: AbortSignal;

  /** @param giveUp aborts when nobody waits for answers any more */
  constructor(baseUrl: string, token: string, journal: Journal, giveUp: AbortSignal) {
    this.baseUrl = baseUrl;
    this.#token = token;
    this.journal = journal;
    this.#giveUp = giveUp;
  }

  /** The answer, and how many requests may have been carried out. */
  async ask(path: string, body: unknown): Promise<Answer & { readonly requests: number }> {
    for (let requests = 1; ; requests += 1) {
      const answer = await this.#once(path, body).catch(() => null);
      if (answer !== null && !this.#mustRepeat(path, answer.status)) {
        const text = new TextDecoder().decode(answer.bytes);
        const { headers, status } = answer;
        return { status, headers, body: text === "" ? null : JSON.parse(text), requests };
      }
      await sleep(PAUSE_MS, undefined, { signal: this.#giveUp });
    }
  }

  async post(path: string, body: unknown): Promise<Answer> {
    return await this.ask(path, body);
  }

  /** One request without a token, to any address; repeated like the others. */
  async send(url: string, init: RequestInit = {}): Promise<BinaryAnswer> {
    for (;;) {
      const answer = await this.#fetch(url, init).catch(() => null);
      if (answer !== null && !this.#mustRepeat(url, answer.status)) return answer;
      await sleep(PAUSE_MS, undefined, { signal: this.#giveUp });
    }
  }

  /** Runs the work while the phase counts as under way. */
  async during<Result>(phase: string, work: () => Promise<Result>): Promise<Result> {
    const { phases } = this.journal;
    phases.set(phase, (phases.get(phase) ?? 0) + 1);
    try {
      return await work();
    } finally {
      phases.set(phase, (phases.get(phase) ?? 1) - 1);
    }
  }

  /** Initiates a pipeline, and records that it was accepted. @throws when it is refused */
  async initiate(work: string, path: string, request: unknown): Promise<Accepted & { readonly requests: number }> {
    const { body, requests, status } = await this.ask(`${path}/initiate`, request);
    if (status !== 200) throw new Error(`${path}/initiate answered ${status}: ${JSON.stringify(body)}`);
    const accepted: Accepted = {
      work,
      path,
      pipelineId: body.pipelineId,
      outcome: null,
      acceptedAtMs: performance.now(),
      tookMs: 0,
    };
    this.journal.accepted.push(accepted);
    return Object.assign(accepted, { requests });
  }

  /** Waits for the end of a pipeline and retrieves it. */
  async outcome(accepted: Accepted): Promise<Answer> {
    const { path, pipelineId } = accepted;
    for (;;) {
      const { body, status } = await this.post("/tasking/get-status", { pipelineId, waitSeconds: WAIT_SECONDS });
      if (status !== 200 || (body.status !== "NEW" && body.status !== "PROCESSING")) break;
    }
    const answer = await this.post(`${path}/retrieve`, { pipelineId });
    accepted.outcome = outcomeOf(answer);
    accepted.tookMs = performance.now() - accepted.acceptedAtMs;
    return answer;
  }

  #mustRepeat(path: string, status: number): boolean {
    if (PASSING.has(status)) return true;
    if (status < 500) return false;
    this.journal.faults.push({ kind: "failed", message: `${path} answered ${status}` });
    return true;
  }

  async #once(path: string, body: unknown): Promise<BinaryAnswer> {
    return await this.#fetch(`${this.baseUrl}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${this.#token}` },
      body: JSON.stringify(body),
    });
  }

  async #fetch(url: string, init: RequestInit): Promise<BinaryAnswer> {
    const signal = AbortSignal.any([this.#giveUp, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
    const response = await fetch(url, { ...init, signal });
    return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
  }
}
