import type { ErrorCode } from "./error-code.ts";

/** One fault of a request body; `path` is a JSON Pointer ("/extent/coordinates/0"). */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

export interface ServiceErrorOptions {
  readonly cause?: unknown;
  readonly details?: readonly ErrorDetail[];
  /** Seconds after which the same request may succeed. */
  readonly retryAfterS?: number;
  /** Another try of the pipeline would fail in the same way, whatever the code says. */
  readonly isFinal?: boolean;
}

/**
 * An expected failure that the caller sees. The message states the received and the expected value and carries no
 * internals. Every other thrown value is answered as ERROR. The service holds the table of HTTP statuses.
 */
export class ServiceError extends Error {
  override readonly name: string = "ServiceError";
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterS: number | null;
  readonly isFinal: boolean;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterS = options.retryAfterS ?? null;
    this.isFinal = options.isFinal ?? false;
  }
}
