import type { FastifyReply } from "fastify";
import { RequestAbortedError } from "../request-aborted-error.ts";

/** Aborts when the client of a request goes away before its answer. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const control = new AbortController();
  const abort = (): void => control.abort(new RequestAbortedError("the client went away"));
  if (raw.destroyed) abort();
  else raw.once("close", abort);
  return control.signal;
}
