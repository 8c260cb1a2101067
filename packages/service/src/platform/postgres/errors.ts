import { DatabaseError } from "pg";

/** SQLSTATE of a failed statement, or null when the error did not come from the database server. */
function sqlState(error: unknown): string | null {
  return error instanceof DatabaseError && error.code !== undefined ? error.code : null;
}

/** Whether a unique constraint (that one, when named) was violated. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return violates(error, "23505", constraint);
}

function violates(error: unknown, state: string, constraint: string | undefined): boolean {
  return (
    error instanceof DatabaseError &&
    error.code === state &&
    (constraint === undefined || error.constraint === constraint)
  );
}

/** Whether the same transaction may succeed when run again: serialization failure or deadlock. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state === "40001" || state === "40P01";
}

/** Whether the server ended the statement because it took too long. */
export function isTimeout(error: unknown): boolean {
  const state = sqlState(error);
  return state === "57014" || state === "55P03";
}

const CONNECTION_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOTFOUND", "ETIMEDOUT", "EAI_AGAIN"]);

/** Whether the server cannot be reached or is stopping; the same request may succeed in a moment (503). */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return state.startsWith("08") || state.startsWith("57P") || state.startsWith("53");
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && CONNECTION_CODES.has(error.code)) return true;
  return /connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/iu.test(
    error.message,
  );
}
