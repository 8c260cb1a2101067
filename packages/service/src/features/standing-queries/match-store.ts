import { sql } from "kysely";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { Trx } from "../../platform/context.ts";
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

/** A scene that left the list; the other members are null for deleted scenes and cuttings of scenes. */
type TakenRow = { readonly [Member in keyof ArrivalRow]: ArrivalRow[Member] | null };

/**
 * The scenes that wait longest, locked and taken from the list; others keep to other ones. Deleted scenes and cuttings
 * of scenes leave the list.
 */
export async function takeArrivals(
  trx: Trx,
  limit: number,
): Promise<{ readonly arrivals: readonly ArrivalRow[]; readonly taken: number }> {
  const { rows } = await sql<TakenRow>`
    with taken as (
      delete from scene_arrivals where serial in (
        select serial from scene_arrivals order by serial limit ${limit} for update skip locked
      ) returning serial, scene_key, after_box
    )
    select t.serial, t.after_box, s.scene_key, s.scene_id, s.dataset_key, d.provider, d.dataset, s.acquired_at,
      (s.bbox[1])[0] as west, (s.bbox[1])[1] as south, (s.bbox[0])[0] as east, (s.bbox[0])[1] as north,
      s.footprint, s.ingested, s.audience, doc.document
    from taken t
    left join (
      scenes s join scene_datasets d on d.dataset_key = s.dataset_key
      join scene_documents doc on doc.scene_key = s.scene_key
    ) on s.scene_key = t.scene_key and s.deleted_at is null and s.parent_id is null
    order by t.serial`.execute(trx);
  return { arrivals: rows.filter(isArrival), taken: rows.length };
}

function isArrival(row: TakenRow): row is ArrivalRow {
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
  trx: Trx,
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
    order by f.query_id`.execute(trx);
  const [first] = rows;
  return {
    candidates: rows.flatMap(({ query_id, ...row }) => (query_id === null ? [] : [{ ...row, query_id }])),
    next: first !== undefined && first.box_count === limit ? first.last : null,
  };
}

/** Puts the rest of the candidates of a scene at the end of the list. */
export async function requeue(trx: Trx, sceneKey: number, afterBox: number): Promise<void> {
  await trx.insertInto("scene_arrivals").values({ scene_key: sceneKey, after_box: afterBox }).execute();
}

export interface NewMatch {
  readonly queryId: string;
  readonly sceneKey: number;
  /** Whether nobody takes it. */
  readonly taken: boolean;
  /** Recorded with a match that is new; null without one. */
  readonly event: NewEvent | null;
}

/** Writes matches of queries that still exist, and the events of those that are new. @returns how many are new */
export async function insertMatches(trx: Trx, matches: readonly NewMatch[], at: Date): Promise<number> {
  if (matches.length === 0) return 0;
  const told = matches.flatMap(({ event }, index) => (event === null ? [] : [{ event, match: index + 1 }]));
  const { rows } = await sql<{ added: number }>`
    with given as (
      select * from unnest(
        ${matches.map(({ queryId }) => queryId)}::text[], ${matches.map(({ sceneKey }) => sceneKey)}::bigint[],
        ${matches.map(({ taken }) => taken)}::bool[]
      ) with ordinality as g (query_id, scene_key, taken, match)
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
    select count(*)::int as added from added`.execute(trx);
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
