import { parseInstant } from "@swath/kernel/time/instant";
import { ServiceError } from "@swath/kernel/errors/service-error";

/** From inclusive to exclusive; null is open. */
export interface Period {
  readonly from: Date | null;
  readonly to: Date | null;
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}

function momentOf(text: string | undefined, path: string): Date | null {
  if (text === undefined) return null;
  const epochMs = parseInstant(text);
  if (epochMs === null) throw invalid(path, `is no moment: ${text}`);
  return new Date(epochMs);
}

/**
 * The period between two members of a request.
 *
 * @throws {ServiceError} VALIDATION-ERROR when one is no moment or the end is before the start
 */
export function requestedPeriod<Start extends string, End extends string>(
  request: { readonly [Name in Start | End]?: string | undefined },
  start: Start,
  end: End,
): Period {
  const from = momentOf(request[start], `/${start}`);
  const to = momentOf(request[end], `/${end}`);
  if (from !== null && to !== null && to < from) throw invalid(`/${end}`, `must not be before ${start}`);
  return { from, to };
}
