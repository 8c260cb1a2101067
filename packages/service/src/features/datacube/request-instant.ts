import { ServiceError } from "@swath/kernel/errors/service-error";
import { formatInstant, parseInstant } from "@swath/kernel/time/instant";

/** The moment of a member of a request; null when it is absent. @throws {ServiceError} VALIDATION-ERROR */
export function requestInstant(text: string | undefined, path: string): Date | null {
  if (text === undefined) return null;
  const epochMs = parseInstant(text);
  if (epochMs !== null) return new Date(epochMs);
  const message = `must be a moment that exists, got ${text}`;
  throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}

/** `YYYY-MM-DD HH:MM:SS.mmm`, UTC. */
export function formatMoment(moment: Date): string {
  return `${formatInstant(moment.getTime())}.${String(moment.getUTCMilliseconds()).padStart(3, "0")}`;
}

export function formatOptional(moment: Date | null): string | null {
  return moment === null ? null : formatInstant(moment.getTime());
}
