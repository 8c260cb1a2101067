/** Why the work of a request was given up. */
export class RequestAbortedError extends Error {
  override readonly name = "RequestAbortedError";
}
