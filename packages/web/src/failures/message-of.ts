import { ApiError } from "@swath/client";
import { text } from "../text/en.ts";

/** The words of the service about a failure, or why there are none. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (isUnreachable(error)) return text.errors.unreachable;
  return error instanceof Error ? error.message : String(error);
}

/** Whether the service could not be asked, or is too busy: it is worth a later try. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 503;
  // Browsers report a cut network so; each has other words.
  return error instanceof TypeError;
}

/** Whether the user lacks a permission, which the message names. */
export function isDenied(error: unknown): boolean {
  return error instanceof ApiError && error.code === "NOT-AUTHORIZED" && error.message.includes("permission");
}
