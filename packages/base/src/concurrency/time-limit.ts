/**
 * A signal that aborts after a time, or with one of the signals given. Disposing ends its timer and leaves the signals.
 * The timer of `AbortSignal.timeout` runs to its end and makes an error then, also for work that is over long before.
 */
export class TimeLimit implements Disposable {
  readonly #control = new AbortController();
  readonly #over = new DisposableStack();

  constructor(limitMs: number, ...signals: readonly AbortSignal[]) {
    const timer = setTimeout(() => {
      this.#control.abort(new DOMException(`not over after ${limitMs} ms`, "TimeoutError"));
    }, limitMs);
    this.#over.defer(() => clearTimeout(timer));
    for (const signal of signals) this.#follow(signal);
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  [Symbol.dispose](): void {
    this.#over.dispose();
  }

  #follow(signal: AbortSignal): void {
    const abort = (): void => this.#control.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    this.#over.defer(() => signal.removeEventListener("abort", abort));
  }
}
