import type { Transferable } from "node:worker_threads";
import { describeFailure, failureError, type ThreadFailure } from "./thread-failure.ts";

/** Messages of both threads. */
type CallMessage =
  | { readonly kind: "call"; readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly kind: "answer"; readonly id: number; readonly output: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly failure: ThreadFailure };

/** A worker, or the port of a worker to its parent. */
interface CallPort {
  on(event: "message", listener: (message: CallMessage) => void): unknown;
  postMessage(message: CallMessage, transfer?: readonly Transferable[]): void;
}

/** The answer to a call. */
export interface CallAnswer {
  readonly output: unknown;
  /** Buffers of the output that move to the other thread instead of being copied. */
  readonly transfer?: readonly Transferable[];
}

/** Calls between two threads, in both directions. Errors cross as `ThreadFailure`. */
export class ThreadCalls {
  readonly #port: CallPort;
  readonly #serve: (name: string, input: unknown) => Promise<CallAnswer>;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  constructor(port: CallPort, serve: (name: string, input: unknown) => Promise<CallAnswer>) {
    this.#port = port;
    this.#serve = serve;
    port.on("message", (message) => this.#receive(message));
  }

  /** Calls that the other thread has not answered. */
  get waiting(): number {
    return this.#waiting.size;
  }

  async call(name: string, input: unknown): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#send({ kind: "call", id, name, input });
    return await waiting.promise;
  }

  /** Fails all calls that wait. */
  fail(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #send(message: CallMessage, transfer: readonly Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  #receive(message: CallMessage): void {
    if (message.kind === "call") {
      this.#serve(message.name, message.input).then(
        ({ output, transfer }) => this.#send({ kind: "answer", id: message.id, output }, transfer),
        (error: unknown) => this.#send({ kind: "failed", id: message.id, failure: describeFailure(error) }),
      );
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === "answer") waiting?.resolve(message.output);
    else waiting?.reject(failureError(message.failure));
  }
}
