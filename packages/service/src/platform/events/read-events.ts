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
  /** All unless given. */
  readonly subject?: string | undefined;
  readonly limit: number;
}

export interface EventPage {
  readonly events: readonly PlacedEvent[];
  /** Every event up to this position is read or filtered out: the place to go on after. */
  readonly reached: number;
  /** Whether events behind `reached` may be there already. */
  readonly isCut: boolean;
}

/** Events of a reader that a filtered page looks through; later ones wait for the next page. */
const MAX_FILTERED = 10_000;

/** The event of a row is null where the page is empty. */
interface PageRow {
  readonly last: number;
  readonly horizon: number | null;
  readonly position: number | null;
  readonly id: string | null;
  readonly type: EventType;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** The events that a reader may see, in the order of positions. */
export async function readEvents(db: Db, query: EventQuery): Promise<readonly PlacedEvent[]> {
  return (await readEventPage(db, query)).events;
}

/** As `readEvents`, with the position to go on after: a page without events moves on, too. */
export async function readEventPage(
  db: Db,
  { reader, after, types, subject, limit }: EventQuery,
  maxFiltered: number = MAX_FILTERED,
): Promise<EventPage> {
  const isFiltered = types.length > 0 || subject !== undefined;
  const audiences = [
    sql`user_id = ${reader.userId}`,
    sql`group_id = ${reader.groupId}`,
    sql`organization_id = ${reader.organizationId ?? ""}`,
  ];
  const wanted = sql`position > ${after} and position <= (select up_to from bounds)
    and (${types.length === 0}::bool or type = any(${[...types]}::text[]))
    and (${subject ?? null}::text is null or subject = ${subject ?? null}::text)`;
  const ends = audiences.map(
    (audience) => sql`(select position from events where ${audience} and position > ${after}
      order by position offset ${maxFiltered - 1} limit 1)`,
  );
  // Each branch is one range of an index.
  const found = audiences.map(
    (audience) => sql`(select serial from events where ${audience} and ${wanted} order by position limit ${limit})`,
  );
  const { rows } = await sql<PageRow>`
    with mark as materialized (
      select coalesce((select position from event_marks where name = 'placed'), 0) as last
    ), horizon as materialized (
      select ${isFiltered ? sql`least(${sql.join(ends)})` : sql`null::bigint`} as position
    ), bounds as materialized (
      select coalesce(horizon.position, mark.last) as up_to, mark.last, horizon.position as horizon from mark, horizon
    ), seen as (
      ${sql.join(found, sql` union `)}
    )
    select b.last, b.horizon, e.position, e.id, e.type, e.subject, e.data, e.created_at as "createdAt"
    from bounds b
    left join (select * from events where serial in (select serial from seen) order by position limit ${limit}) e
      on true
    order by e.position`.execute(db);
  const events = rows.flatMap(placedOf);
  const [{ last, horizon } = { last: after, horizon: null }] = rows;
  const isFull = events.length === limit;
  const reached = isFull ? events.at(-1)!.position : Math.max(after, horizon ?? last);
  return { events, reached, isCut: isFull || horizon !== null };
}

function placedOf({ position, id, type, subject, data, createdAt }: PageRow): readonly PlacedEvent[] {
  return position === null || id === null ? [] : [{ position, id, type, subject, data, createdAt }];
}

/** The position of the last event that has one. */
export async function lastPosition(db: Db): Promise<number> {
  const { rows } = await sql<{ position: number }>`select position from event_marks where name = 'placed'`.execute(db);
  return rows[0]?.position ?? 0;
}
