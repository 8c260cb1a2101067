import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError, type ServiceErrorOptions } from "@swath/kernel/errors/service-error";

/** An expected failure whose answer needs response headers, such as `Allow` or `Range`. */
export class ErrorWithHeaders extends ServiceError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    headers: Readonly<Record<string, string>>,
    options: ServiceErrorOptions = {},
  ) {
    super(code, message, options);
    this.headers = headers;
  }
}
