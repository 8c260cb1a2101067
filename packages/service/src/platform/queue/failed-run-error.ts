import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Trx } from "../context.ts";

/**
 * Thrown by a run whose pipeline is to end FAILED, with effects that must happen then and not before: they are part of
 * the transaction that marks it FAILED, so that a run after a crash meets the same failure.
 */
export class FailedRunError extends ServiceError {
  override readonly name = "FailedRunError";
  /** May run again when that transaction fails. */
  readonly commit: (trx: Trx) => Promise<void>;

  constructor(cause: ServiceError, commit: (trx: Trx) => Promise<void>) {
    const { code, details, isFinal, message, retryAfterS } = cause;
    super(code, message, {
      cause,
      isFinal,
      ...(details === undefined ? {} : { details }),
      ...(retryAfterS === null ? {} : { retryAfterS }),
    });
    this.commit = commit;
  }
}
