import { sql, type RawBuilder } from "kysely";
import type { EventType } from "@swath/kernel/events/event-type";
import type { Trx } from "../context.ts";

/** Most bytes of the data of an event, as JSON. */
export const MAX_EVENT_DATA_BYTES = 16_384;

/** Whose event it is: each of these sees it, at least one is named. Empty texts count as absent. */
export interface EventAudience {
  readonly userId?: string;
  /** Every member whose first group it is. */
  readonly groupId?: string;
  readonly organizationId?: string | null;
}

export interface NewEvent {
  readonly type: EventType;
  /** The thing that the event is about, such as `order:<id>`. Events of one subject are delivered in order. */
  readonly subject: string;
  readonly audience: EventAudience;
  /** JSON members: bounded by the caller, and nothing that the audience may not see. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Records an event in the transaction that causes it: both are there, or neither. Readers hear of it after the commit.
 *
 * Events of one subject keep their order when their transactions exclude each other, by a lock on the row of the
 * subject.
 *
 * @throws {RangeError} when nobody is to see it, or for more than `MAX_EVENT_DATA_BYTES` of data
 */
export async function recordEvent(trx: Trx, event: NewEvent): Promise<void> {
  await recordEvents(trx, [event]);
}

/** Records events in this order, in one statement. @throws {RangeError} as `recordEvent` */
export async function recordEvents(trx: Trx, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await sql`${eventsInsert(events)} order by place`.execute(trx);
}

/**
 * The start of a statement that inserts events: a condition on `place` (from 1) chooses those that are recorded, for
 * statements that cause only some of them.
 *
 * @throws {RangeError} as `recordEvent`
 */
export function eventsInsert(events: readonly NewEvent[]): RawBuilder<unknown> {
  const rows = events.map(rowOf);
  return sql`
    insert into events (type, subject, user_id, group_id, organization_id, data)
    select type, subject, user_id, group_id, organization_id, data::jsonb from unnest(
      ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.subject)}::text[],
      ${rows.map((row) => row.userId)}::text[], ${rows.map((row) => row.groupId)}::text[],
      ${rows.map((row) => row.organizationId)}::text[], ${rows.map((row) => row.data)}::text[]
    ) with ordinality as given_event (type, subject, user_id, group_id, organization_id, data, place)`;
}

interface EventRow {
  readonly type: string;
  readonly subject: string;
  readonly userId: string | null;
  readonly groupId: string | null;
  readonly organizationId: string | null;
  readonly data: string;
}

function rowOf({ audience, data, subject, type }: NewEvent): EventRow {
  const userId = named(audience.userId);
  const groupId = named(audience.groupId);
  const organizationId = named(audience.organizationId);
  if (userId === null && groupId === null && organizationId === null) {
    throw new RangeError(`the event ${type} of ${subject} names no user, group or organisation`);
  }
  const json = JSON.stringify(data);
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_EVENT_DATA_BYTES) {
    throw new RangeError(`the event ${type} of ${subject} has ${bytes} bytes of data, at most ${MAX_EVENT_DATA_BYTES}`);
  }
  return { type, subject, userId, groupId, organizationId, data: json };
}

function named(id: string | null | undefined): string | null {
  return id === undefined || id === "" ? null : id;
}
