import { EVENT_TYPES, type EventType } from "@swath/kernel/events/event-type";
import { ServiceError } from "@swath/kernel/errors/service-error";

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

/** @throws {ServiceError} BAD-REQUEST naming the first unknown type */
export function requestedTypes(list: string | undefined): readonly EventType[] {
  const names = (list ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
  const unknown = names.find((name) => !KNOWN.has(name));
  if (unknown === undefined) return [...new Set(names)] as EventType[];
  throw new ServiceError("BAD-REQUEST", `"${unknown}" is no type of events, expected ${EVENT_TYPES.join(", ")}`);
}

/**
 * The position behind which a stream begins; null: now.
 *
 * @param lastEventId header of a client that connects again; empty when it has read nothing
 * @throws {ServiceError} BAD-REQUEST when the header is no position
 */
export function requestedPosition(lastEventId: string | undefined, after: number | undefined): number | null {
  if (lastEventId === undefined || lastEventId === "") return after ?? null;
  if (/^\d{1,15}$/u.test(lastEventId)) return Number(lastEventId);
  throw new ServiceError("BAD-REQUEST", `Last-Event-ID is "${lastEventId.slice(0, 100)}", expected a position`);
}
