import { sql } from "kysely";
import type { ElementSet } from "@swath/kernel/orbits/element-set";
import type { Db, Trx } from "../../platform/context.ts";

/** A stored element set. Sets are added and never changed. */
export interface StoredElements {
  /** Grows with every import. */
  readonly key: number;
  readonly set: ElementSet;
  readonly format: string;
  readonly importedBy: string;
  readonly importedAt: Date;
}

/** A set to store. */
export interface NewElements {
  readonly set: ElementSet;
  readonly format: string;
  /** Of the canonical elements. */
  readonly digest: string;
  readonly importedBy: string;
  readonly importedAt: Date;
}

interface Row {
  readonly elements_key: number;
  readonly elements: string;
  readonly format: string;
  readonly imported_by: string;
  readonly imported_at: Date;
}

const COLUMNS = sql`elements_key, elements, format, imported_by, imported_at`;

/** @returns whether the set is new */
export async function insertElements(trx: Trx, row: NewElements): Promise<boolean> {
  const { set, format, digest, importedBy, importedAt } = row;
  const { rows } = await sql`
    insert into tasking_elements
      (catalogue_number, name, epoch, elements, format, digest, imported_by, imported_at)
    values (${set.catalogueNumber}, ${set.name}, ${new Date(set.epochMs)}, ${JSON.stringify(set)}, ${format},
      ${digest}, ${importedBy}, ${importedAt})
    on conflict (catalogue_number, digest) do nothing
    returning elements_key`.execute(trx);
  return rows.length > 0;
}

/** Of each of some satellites the set with the newest epoch, by catalogue number. */
export async function newestElements(
  db: Db,
  catalogueNumbers: readonly number[],
): Promise<ReadonlyMap<number, ElementSet>> {
  const { rows } = await sql<Row>`
    select distinct on (catalogue_number) ${COLUMNS} from tasking_elements
    where catalogue_number = any(${[...catalogueNumbers]}::int[])
    order by catalogue_number, epoch desc, elements_key desc`.execute(db);
  return new Map(rows.map((row) => storedOf(row).set).map((set) => [set.catalogueNumber, set]));
}

export interface ElementsPage {
  readonly catalogueNumber: number | null;
  readonly newestOnly: boolean;
  /** Sets with smaller keys follow; null for the first page. */
  readonly beforeKey: number | null;
  readonly limit: number;
}

/** Latest import first. */
export async function listElements(db: Db, page: ElementsPage): Promise<readonly StoredElements[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from tasking_elements one
    where (${page.catalogueNumber}::int is null or catalogue_number = ${page.catalogueNumber})
      and (${page.beforeKey}::bigint is null or elements_key < ${page.beforeKey})
      and (not ${page.newestOnly} or not exists (
        select 1 from tasking_elements other
        where other.catalogue_number = one.catalogue_number
          and (other.epoch, other.elements_key) > (one.epoch, one.elements_key)))
    order by elements_key desc
    limit ${page.limit}`.execute(db);
  return rows.map(storedOf);
}

function storedOf(row: Row): StoredElements {
  return {
    key: row.elements_key,
    set: JSON.parse(row.elements) as ElementSet,
    format: row.format,
    importedBy: row.imported_by,
    importedAt: row.imported_at,
  };
}
