import { isErrorCode } from "@swath/kernel/errors/error-code";
import { ERROR_STATUS } from "@swath/service/error-status";

/** Exit codes of the command line. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  auth: 3,
  notFound: 4,
  credit: 5,
  unavailable: 6,
  notReproduced: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A mistake in what was typed or in a file that was named; shown without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A failure with its own words and exit code. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;
  /** What the user can do about it. */
  readonly hint: string | null;

  constructor(message: string, exitCode: ExitCode = EXIT.failure, hint: string | null = null) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** How a failure is shown and which exit code it ends with. */
export interface Verdict {
  readonly exitCode: ExitCode;
  readonly code: string | null;
  readonly message: string;
  readonly hint: string | null;
  readonly requestId: string | null;
  /** Faults of the request, one line each. */
  readonly details: readonly string[];
}

const CREDIT_CODES = ["CREDITS-ERROR", "INSUFFICIENT-CREDIT", "USER-CREDIT-LIMIT", "LICENSE-EXPIRED"];

const HINTS: Readonly<Record<string, string>> = {
  "CREDITS-ERROR": "pay for the area first: repeat the command with --allocate",
  "INSUFFICIENT-CREDIT": "ask your administrator for credit, or take a smaller area",
  "USER-CREDIT-LIMIT": "ask your administrator to raise your credit limit, or take a smaller area",
  "INVALID-JWT": "sign in again: swath login",
  "INVALID-AUTHORIZATION-HEADER": "sign in first: swath login",
  "NOT-AUTHORIZED": "ask your administrator for the permission",
  invalid_grant: "check email and password",
  "EXTENT-TOO-LARGE": "search a smaller area",
  "ACQUISITION-TIME-UNKNOWN": "give it with --datetime, or accept the time of ingest with --time-unknown",
  "TOO-MANY-REQUESTS": "wait a moment and repeat the command",
  "SERVICE-UNAVAILABLE": "wait a moment and repeat the command",
  "INSUFFICIENT-STORAGE": "the disks of the service are full: ask its operator",
};

interface Answered {
  readonly code: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly details: readonly string[];
}

function answered(error: unknown): Answered | null {
  if (!(error instanceof Error) || !("code" in error) || !("status" in error)) return null;
  const { code, status } = error;
  if (typeof code !== "string" || typeof status !== "number") return null;
  const requestId = "requestId" in error && typeof error.requestId === "string" ? error.requestId : null;
  const details = "details" in error && Array.isArray(error.details) ? error.details.map(detailLine) : [];
  return { code, status, requestId, details };
}

function detailLine(detail: unknown): string {
  if (typeof detail !== "object" || detail === null || !("message" in detail)) return String(detail);
  const path = "path" in detail && detail.path !== "" ? `${String(detail.path)}: ` : "";
  return `${path}${String(detail.message)}`;
}

/** One exit code for one class of fault, whether the request or the pipeline that it started was refused. */
export function exitCodeOf(code: string, status = 500): ExitCode {
  if (CREDIT_CODES.includes(code)) return EXIT.credit;
  // The answer about a failed pipeline has the status 424 and the code of the step that failed.
  const own = isErrorCode(code) ? ERROR_STATUS[code] : status;
  return EXIT_OF_STATUS.get(own) ?? EXIT.failure;
}

const EXIT_OF_STATUS: ReadonlyMap<number, ExitCode> = new Map([
  [400, EXIT.usage],
  [401, EXIT.auth],
  [402, EXIT.credit],
  [403, EXIT.auth],
  [404, EXIT.notFound],
  [405, EXIT.usage],
  [408, EXIT.unavailable],
  [413, EXIT.usage],
  [422, EXIT.usage],
  [429, EXIT.unavailable],
  [503, EXIT.unavailable],
  [507, EXIT.unavailable],
]);

/** Judges anything that a command threw. */
export function judge(error: unknown): Verdict {
  const none = { code: null, hint: null, requestId: null, details: [] };
  if (error instanceof UsageError) {
    return { ...none, exitCode: EXIT.usage, message: error.message, hint: "swath help shows every command" };
  }
  if (error instanceof CommandError) {
    return { ...none, exitCode: error.exitCode, message: error.message, hint: error.hint };
  }
  const answer = answered(error);
  if (answer !== null && error instanceof Error) {
    return {
      exitCode: exitCodeOf(answer.code, answer.status),
      code: answer.code,
      message: error.message,
      hint: HINTS[answer.code] ?? null,
      requestId: answer.requestId,
      details: answer.details,
    };
  }
  if (isUnreachable(error)) {
    return {
      ...none,
      exitCode: EXIT.unavailable,
      message: "the service does not answer",
      hint: "start one with swath serve, or name another with --url",
    };
  }
  if (error instanceof Error && "code" in error && error.code === "ENOENT" && "path" in error) {
    return { ...none, exitCode: EXIT.usage, message: `there is no file ${String(error.path)}` };
  }
  return { ...none, exitCode: EXIT.failure, message: error instanceof Error ? error.message : String(error) };
}

function isUnreachable(error: unknown): boolean {
  // What fetch throws when there was no answer at all.
  return error instanceof TypeError && error.message === "fetch failed";
}
