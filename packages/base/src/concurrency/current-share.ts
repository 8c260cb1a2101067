import { AsyncLocalStorage } from "node:async_hooks";
import { loopShare, type LoopShare } from "./loop-share.ts";

/** The work of one request or pipeline. */
interface SharedWork {
  readonly share: string;
  readonly loop: LoopShare;
}

const works = new AsyncLocalStorage<SharedWork>();

/**
 * Runs work of a request or of a pipeline. Whatever it waits for in this process takes the turns of its share, however
 * deep the call.
 */
export function forShare<Result>(share: string, work: () => Result): Result {
  return works.run({ share, loop: loopShare() }, work);
}

/** The share of the request or the pipeline under way; empty for work of the service. */
export function currentShare(): string {
  return works.getStore()?.share ?? "";
}

/** The share of the event loop of the request or the pipeline under way; a new one for work of the service. */
export function currentLoopShare(): LoopShare {
  return works.getStore()?.loop ?? loopShare();
}
