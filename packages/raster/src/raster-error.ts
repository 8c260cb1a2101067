import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError, type ServiceErrorOptions } from "@swath/kernel/errors/service-error";

/** Each reason with the error code of the kernel that stands for it. */
const CODES = {
  /** The bytes are damaged, cut or contradict themselves. */
  unreadable: "SCENE-UNREADABLE",
  /** The file is sound but of a kind that is not read. */
  unsupported: "UNSUPPORTED-IMAGERY",
  /** The pixels take more memory or more bytes than the limit. */
  "too-large": "IMAGE-TOO-LARGE",
  /** A document or archive around the pixels is wrong. */
  "bad-document": "BAD-REQUEST",
  /** Nothing states when the image was taken, which the caller requires. */
  "time-unknown": "ACQUISITION-TIME-UNKNOWN",
  /** The file is not there. */
  missing: "DATA-NOT-AVAILABLE",
  /** The host of the file does not answer, refuses or may not be asked. */
  unreachable: "SERVICE-UNAVAILABLE",
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** Why a raster cannot be read or written. Reasons are stable: callers compare them. */
export type RasterErrorReason = keyof typeof CODES;

/** An expected failure. The message states the value received and the value expected. */
export class RasterError extends ServiceError {
  override readonly name = "RasterError";
  readonly reason: RasterErrorReason;

  constructor(reason: RasterErrorReason, message: string, options: ServiceErrorOptions = {}) {
    super(CODES[reason], message, options);
    this.reason = reason;
  }
}
