import { AsyncLocalStorage } from "node:async_hooks";

/** A fault of a request that is accepted with it. */
export interface RequestWarning {
  /** JSON Pointer. */
  readonly path: string;
  readonly message: string;
  /** The member that was probably meant. */
  readonly didYouMean?: string;
}

const collected = new AsyncLocalStorage<RequestWarning[]>();

/** Runs work of a request, and adds the warnings that it gives, however deep the call. */
export function collectWarnings<Result>(into: RequestWarning[], work: () => Result): Result {
  return collected.run(into, work);
}

/** Adds a warning to the answer of the request under way, each once; work of no request has nobody to warn. */
export function warn(warning: RequestWarning): void {
  const warnings = collected.getStore();
  if (warnings?.every(({ path, message }) => path !== warning.path || message !== warning.message) === true) {
    warnings.push(warning);
  }
}
