import { sql } from "kysely";
import type { EventType } from "@swath/kernel/events/event-type";
import type { Caller, Db } from "../context.ts";

/** An event as readers see it. */
export interface PlacedEvent {
  /** Rises along the list of all events; no event appears below a position that was read. */
  readonly position: number;
  readonly id: string;
  readonly type: EventType;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** Whose events are read. */
export type EventReader = Pick<Caller, "userId" | "groupId" | "organizationId">;

export interface EventQuery {
  readonly reader: EventReader;
  /** Events behind this position. */
  readonly after: number;
  /** Empty for all. */
  readonly types: readonly EventType[];
  readonly limit: number;
}

/** The events that a reader may see, in the order of positions. */
export async function readEvents(db: Db, { reader, after, types, limit }: EventQuery): Promise<readonly PlacedEvent[]> {
  const ofType = sql<boolean>`(${types.length === 0}::bool or type = any(${[...types]}::text[]))`;
  // Each branch is one range of an index.
  const { rows } = await sql<PlacedEvent>`
    with seen as (
      (select serial from events
        where user_id = ${reader.userId} and position > ${after} and ${ofType} order by position limit ${limit})
      union
      (select serial from events
        where group_id = ${reader.groupId} and position > ${after} and ${ofType} order by position limit ${limit})
      union
      (select serial from events
        where organization_id = ${reader.organizationId ?? ""} and position > ${after} and ${ofType}
        order by position limit ${limit})
    )
    select coalesce(e.position, 0) as position, e.id, e.type, e.subject, e.data, e.created_at as "createdAt"
    from events e
    where e.serial in (select serial from seen) order by e.position limit ${limit}`.execute(db);
  return rows;
}

/** The position of the last event that has one. */
export async function lastPosition(db: Db): Promise<number> {
  const { rows } = await sql<{ position: number }>`select position from event_marks where name = 'placed'`.execute(db);
  return rows[0]?.position ?? 0;
}
