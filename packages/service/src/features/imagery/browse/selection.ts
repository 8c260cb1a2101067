import type { RawBuilder } from "kysely";
import { scopeSql, sourceSql, type BrowseScope } from "./browse-store.ts";
import { piece } from "./piece.ts";

/** The conditions of a browse once areas are sets of scenes. */
export interface Selection {
  readonly condition: RawBuilder<unknown>;
  readonly needsDocument: boolean;
  /** Overlap by scene key, for conditions and orders; null where none reads it. */
  readonly overlaps: ReadonlyMap<number, number> | null;
}

function fromSql(scope: BrowseScope, { condition, needsDocument, overlaps }: Selection): RawBuilder<unknown> {
  return piece`
    ${sourceSql(scope)}
    ${needsDocument ? piece`join scene_documents d on d.scene_key = s.scene_key` : piece``}
    ${
      overlaps === null
        ? piece`cross join (select null::double precision as overlap) as o`
        : piece`
            left join unnest(${[...overlaps.keys()]}::bigint[], ${[...overlaps.values()]}::double precision[])
              as o (scene_key, overlap) on o.scene_key = s.scene_key
          `
    }
    where ${scopeSql(scope)} and ${condition}
  `;
}

/** Keys of the selected scenes, in no order. */
export function selectedSql(scope: BrowseScope, selection: Selection): RawBuilder<unknown> {
  return piece`select s.scene_key from ${fromSql(scope, selection)}`;
}

/** Keys of one page of the selected scenes, in the given order and then by identifier. */
export function selectedPageSql(
  scope: BrowseScope,
  selection: Selection,
  page: { readonly order: readonly RawBuilder<unknown>[]; readonly offset: number; readonly limit: number },
): RawBuilder<unknown> {
  return piece`
    select s.scene_key
    from ${fromSql(scope, selection)}
    order by ${piece.join([...page.order, piece`s.scene_id collate "C"`])}
    offset ${page.offset}::integer
    limit ${page.limit}::integer
  `;
}
