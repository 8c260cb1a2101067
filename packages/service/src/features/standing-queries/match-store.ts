import { sql } from "kysely";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { Db, Trx } from "../../platform/context.ts";
import { eventsInsert, type NewEvent } from "../../platform/events/record-event.ts";
import { boxText, type Purpose } from "./query-store.ts";

/** A scene that waits to be matched. */
export interface ArrivalRow {
  readonly serial: number;
  readonly after_box: number;
  readonly scene_key: number;
  readonly scene_id: string;
  readonly dataset_key: number;
  readonly provider: string;
  readonly dataset: string;
  readonly acquired_at: Date;
  /** Of the unwrapped box. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly footprint: Uint8Array;
  readonly ingested: boolean;
  readonly audience: string | null;
  readonly document: unknown;
}

/** A scene of the list; the members besides its serial are null for deleted scenes and cuttings of scenes. */
type ListedRow = { readonly [Member in Exclude<keyof ArrivalRow, "serial">]: ArrivalRow[Member] | null } & {
  readonly serial: number;
};

/** Scenes that were looked at; `arrivals` are those that are neither deleted nor cut from another. */
export interface Waiting {
  readonly serials: readonly number[];
  readonly arrivals: readonly ArrivalRow[];
}

/** Scenes among which a process chooses, per scene that it takes. */
const CHOICES = 10;

/**
 * Some of the scenes that wait longest, by chance where more wait: processes that match at the same time seldom choose
 * the same. They stay in the list.
 */
export async function waitingArrivals(db: Db, limit: number): Promise<Waiting> {
  const { rows } = await sql<ListedRow>`
    with oldest as (
      select serial, scene_key, after_box from scene_arrivals order by serial limit ${limit * CHOICES}
    ), chosen as (
      select serial, scene_key, after_box from oldest order by random() limit ${limit}
    )
    select c.serial, c.after_box, s.scene_key, s.scene_id, s.dataset_key, d.provider, d.dataset, s.acquired_at,
      (s.bbox[1])[0] as west, (s.bbox[1])[1] as south, (s.bbox[0])[0] as east, (s.bbox[0])[1] as north,
      s.footprint, s.ingested, s.audience, doc.document
    from chosen c
    left join (
      scenes s join scene_datasets d on d.dataset_key = s.dataset_key
      join scene_documents doc on doc.scene_key = s.scene_key
    ) on s.scene_key = c.scene_key and s.deleted_at is null and s.parent_id is null
    order by c.serial`.execute(db);
  return { serials: rows.map(({ serial }) => serial), arrivals: rows.filter(isArrival) };
}

function isArrival(row: ListedRow): row is ArrivalRow {
  return row.scene_key !== null;
}

/** An open query, and its clusters of areas whose boxes meet the box of a scene. */
export interface CandidateRow {
  readonly query_id: string;
  readonly owner_id: string;
  readonly purpose: Purpose;
  readonly name: string;
  readonly criteria: string;
  /** JSON of the members of each cluster. */
  readonly members: string;
  /** JSON of the corners of the box of each cluster: east and north, west and south. */
  readonly boxes: string;
  /** The areas of all members, one after the other. */
  readonly areas: Uint8Array;
}

export interface CandidatePage {
  readonly candidates: readonly CandidateRow[];
  /** Where the next page begins; null for the last page. */
  readonly next: number | null;
}

interface PagedRow extends Omit<CandidateRow, "query_id"> {
  readonly last: number;
  readonly box_count: number;
  readonly query_id: string | null;
}

/**
 * Clusters of enabled queries of the dataset that the scene is no match of, in the order of their boxes. Boxes are found
 * before they are ordered, and the sum with 0 keeps the planner from reading all of them in that order. A parameter for
 * each box: the plan for an array depends on its length, and the server would plan anew each time.
 */
export async function findCandidates(
  db: Db,
  { scene_key, dataset_key, after_box }: Pick<ArrivalRow, "after_box" | "dataset_key" | "scene_key">,
  boxes: readonly Bounds[],
  limit: number,
): Promise<CandidatePage> {
  const meetsBox = sql.join(
    boxes.map((box) => sql`bbox && ${boxText(box)}::box`),
    sql` or `,
  );
  const { rows } = await sql<PagedRow>`
    with near as materialized (
      select serial, query_id, position, bbox from standing_query_boxes
      where dataset_key = ${dataset_key} and (${meetsBox}) and serial + 0 > ${after_box}::bigint
    ), page as materialized (
      select serial, query_id, position, bbox from near order by serial limit ${limit}
    ), ends as materialized (
      select max(serial) as last, count(*)::int as box_count from page
    ), open as materialized (
      select q.id, q.owner_id, q.purpose, q.name, q.criteria from standing_queries q
      where q.id in (select query_id from page) and q.enabled and not exists (
        select from standing_query_matches m where m.query_id = q.id and m.scene_key = ${scene_key}
      )
    ), found as (
      select p.query_id, string_agg(a.areas, ''::bytea order by p.serial) as areas,
        '[' || string_agg(a.members, ',' order by p.serial) || ']' as members,
        '[' || string_agg(translate(p.bbox::text, '()', '[]'), ',' order by p.serial) || ']' as boxes
      from page p join standing_query_areas a on a.query_id = p.query_id and a.position = p.position
      where p.query_id in (select id from open)
      group by p.query_id
    )
    select e.last, e.box_count, f.query_id, o.owner_id, o.purpose, o.name, o.criteria, f.members, f.boxes, f.areas
    from ends e left join (found f join open o on o.id = f.query_id) on true
    where e.box_count > 0
    order by f.query_id`.execute(db);
  const [first] = rows;
  return {
    candidates: rows.flatMap(({ query_id, ...row }) => (query_id === null ? [] : [{ ...row, query_id }])),
    next: first !== undefined && first.box_count === limit ? first.last : null,
  };
}

interface NewMatch {
  readonly queryId: string;
  /** Of the scene in the list. */
  readonly serial: number;
  readonly sceneKey: number;
  /** Whether nobody takes it. */
  readonly taken: boolean;
  /** Recorded with a match that is new; null without one. */
  readonly event: NewEvent | null;
}

export interface Matched {
  readonly serials: readonly number[];
  /** Scenes with more candidates: each goes to the end of the list, behind this box. */
  readonly rest: readonly { readonly serial: number; readonly afterBox: number }[];
  readonly matches: readonly NewMatch[];
}

/**
 * In one statement, takes scenes from the list and writes their matches of queries that still exist, with the events of
 * new ones. Scenes that another process took meanwhile are left to it.
 *
 * @returns how many matches are new
 */
export async function settle(db: Db, { serials, rest, matches }: Matched, at: Date): Promise<number> {
  const told = matches.flatMap(({ event }, index) => (event === null ? [] : [{ event, match: index + 1 }]));
  const { rows } = await sql<{ added: number }>`
    with done as (
      delete from scene_arrivals where serial in (
        select serial from scene_arrivals where serial in (select unnest(${serials}::bigint[])) order by serial for update
      ) returning serial, scene_key
    ), again as (
      insert into scene_arrivals (scene_key, after_box)
      select d.scene_key, r.after_box
      from unnest(${rest.map(({ serial }) => serial)}::bigint[], ${rest.map(({ afterBox }) => afterBox)}::bigint[])
        as r (serial, after_box) join done d on d.serial = r.serial
      order by d.serial
    ), given as (
      select g.* from unnest(
        ${matches.map(({ queryId }) => queryId)}::text[], ${matches.map(({ serial }) => serial)}::bigint[],
        ${matches.map(({ sceneKey }) => sceneKey)}::bigint[], ${matches.map(({ taken }) => taken)}::bool[]
      ) with ordinality as g (query_id, serial, scene_key, taken, match) join done d on d.serial = g.serial
    ), standing as (
      select q.id from standing_queries q where q.id in (select query_id from given) order by q.id for key share
    ), added as (
      insert into standing_query_matches (query_id, scene_key, taken, matched_at)
      select query_id, scene_key, taken, ${at}::timestamptz from given
      where query_id in (select id from standing) order by match
      on conflict do nothing
      returning query_id, scene_key
    ), told as (
      ${eventsInsert(told.map(({ event }) => event))}
      where (${told.map(({ match }) => match)}::bigint[])[place] in (
        select g.match from given g join added a on a.query_id = g.query_id and a.scene_key = g.scene_key
      )
      order by place
    )
    select count(*)::int as added from added`.execute(db);
  return rows[0]?.added ?? 0;
}

/** A match for a feature of the service. */
export interface WaitingMatch {
  readonly queryId: string;
  readonly sceneId: string;
}

/** Takes matches of monitors, oldest first; others keep to other ones. */
export async function takeMatches(trx: Trx, limit: number): Promise<readonly WaitingMatch[]> {
  const { rows } = await sql<WaitingMatch>`
    with taken as (
      update standing_query_matches set taken = true where serial in (
        select serial from standing_query_matches where not taken order by serial limit ${limit} for update skip locked
      ) returning serial, query_id, scene_key
    )
    select t.query_id as "queryId", s.scene_id as "sceneId"
    from taken t join scenes s on s.scene_key = t.scene_key order by t.serial`.execute(trx);
  return rows;
}
