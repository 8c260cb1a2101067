import { AsyncLocalStorage } from "node:async_hooks";

const shares = new AsyncLocalStorage<string>();

/**
 * Runs work of a request or of a pipeline. Whatever it waits for in this process takes the turns of its share, however
 * deep the call.
 */
export function forShare<Result>(share: string, work: () => Result): Result {
  return shares.run(share, work);
}

/** The share of the request or the pipeline under way; empty for work of the service. */
export function currentShare(): string {
  return shares.getStore() ?? "";
}
