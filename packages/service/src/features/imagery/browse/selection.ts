import type { RawBuilder } from "kysely";
import { scopeSql, sourceSql, type BrowseScope } from "./browse-store.ts";
import { piece } from "./piece.ts";

/** The conditions of a browse once areas are sets of scenes. */
export interface Selection {
  readonly condition: RawBuilder<unknown>;
  readonly needsDocument: boolean;
  /** Overlap by scene key, for conditions and orders; null where none reads it. */
  readonly overlaps: ReadonlyMap<number, number> | null;
  /** The group that pays and its prices; null where no condition and no order reads them. */
  readonly payer: BrowsePayer | null;
}

/** A group that pays, with the price of each dataset by the name of the dataset. */
export interface BrowsePayer {
  readonly groupId: string;
  readonly creditsPerKm2: ReadonlyMap<string, number>;
}

/** Overlay noise, as the ledger tolerates it. */
const TOLERANCE = 1e-6;

/** Price of each scene, and the allocated share of whole scenes; free areas of a priced dataset are left out. */
function holdingsSql(payer: BrowsePayer | null): RawBuilder<unknown> {
  if (payer === null) {
    return piece`
      cross join (select null::double precision as credits_per_km2, null::double precision as allocated_ratio) as h
    `;
  }
  const { creditsPerKm2, groupId } = payer;
  return piece`
    left join unnest(${[...creditsPerKm2.keys()]}::text[], ${[...creditsPerKm2.values()]}::double precision[])
      as p (name, credits_per_km2) on p.name = c.name
    left join credit_coverage v on v.group_id = ${groupId} and v.scene_key = s.scene_id
    cross join lateral (
      select p.credits_per_km2, case
        when p.credits_per_km2 = 0 or v.area_cm2 / 1e10 >= s.area_km2 * (1 - ${TOLERANCE}::double precision) then 1
        when s.parent_id is null then coalesce(v.area_cm2 / 1e10 / s.area_km2, 0)
      end as allocated_ratio
    ) as h
  `;
}

function fromSql(scope: BrowseScope, { condition, needsDocument, overlaps, payer }: Selection): RawBuilder<unknown> {
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
    ${holdingsSql(payer)}
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
