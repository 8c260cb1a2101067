/** Every code the service answers with and the HTTP status it travels under. Codes are stable. */
export const ERROR_STATUS = {
  "BAD-REQUEST": 400,
  "BAD-CONTENT-TYPE": 400,
  "EXTENT-HAS-NO-INTERSECTION": 400,
  "EXTENT-TOO-SMALL": 400,
  "EXTENT-TOO-LARGE": 400,
  "IMAGE-TOO-LARGE": 400,
  "GSD-TOO-COARSE": 400,
  "DATASET-NOT-SUPPORTED-FOR-SEARCH": 400,
  "DATASETS-NEED-SEPARATE-SEARCH": 400,
  "UNSUPPORTED-IMAGERY": 400,
  "INVALID-MAP-ID": 400,
  "INVALID-CURSOR": 400,
  INVALID_PIPELINE_RESULT: 400,
  "PIPELINE-NOT-PROCESSED": 400,
  "SCENES-WITH-SAME-DATETIME": 400,
  "NOT-AUTHORIZED": 401,
  "INVALID-AUTHORIZATION-HEADER": 401,
  "INVALID-JWT": 401,
  "INSUFFICIENT-CREDIT": 401,
  "USER-CREDIT-LIMIT": 401,
  "LICENSE-EXPIRED": 401,
  "TILE-NOT-INCLUDED": 401,
  "MFA-REQUIRED": 401,
  "CREDITS-ERROR": 402,
  "API-KEY-AUTHORIZATION-NOT-PERMITTED": 403,
  "INTERNAL-ASSET": 403,
  "NON-EXISTENT-ENDPOINT": 404,
  "NON-EXISTENT-PIPELINE": 404,
  "NON-EXISTING-SCENE": 404,
  "NON-EXISTENT-API-KEY": 404,
  "NON-EXISTENT-GEOMETRY": 404,
  "NON-EXISTENT-FEATURE": 404,
  "NON-EXISTENT-ANALYSIS": 404,
  "NON-EXISTENT-GROUP": 404,
  "NON-EXISTENT-PRICE-RULE": 404,
  "NON-EXISTENT-ORDER": 404,
  "NON-EXISTENT-ORGANIZATION": 404,
  "NON-EXISTENT-USER": 404,
  "NON-EXISTENT-UPLOAD": 404,
  "NO-VALID-BINDING": 404,
  "TILE-NOT-FOUND": 404,
  "DATA-NOT-AVAILABLE": 404,
  "METHOD-NOT-ALLOWED": 405,
  CONFLICT: 409,
  "ILLEGAL-STATE-TRANSITION": 409,
  "PAYLOAD-TOO-LARGE": 413,
  "VALIDATION-ERROR": 422,
  "PROCESSING-ERROR": 424,
  "PIPELINE-CANCELLED": 424,
  "ZERO-TILES-AVAILABLE": 424,
  "SCENE-UNREADABLE": 424,
  "TOO-MANY-REQUESTS": 429,
  ERROR: 500,
  "SERVICE-UNAVAILABLE": 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One fault of a request body; `path` is a JSON Pointer ("/extent/coordinates/0"). */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

export interface ServiceErrorOptions {
  readonly cause?: unknown;
  readonly details?: readonly ErrorDetail[];
  /** Extra response headers, such as `Retry-After` or `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Travels under another status than the code's own: a failed pipeline answers 424 whatever its step's code. */
  readonly status?: number;
}

/**
 * An expected failure that a caller is told about. The message says what was got and what was expected
 * and never carries internals. Anything else that is thrown is answered as 500 ERROR.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? ERROR_STATUS[code];
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}
