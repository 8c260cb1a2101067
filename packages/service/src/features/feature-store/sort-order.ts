import type { QueryField } from "@swath/kernel/query/ast";
import { QueryError } from "@swath/kernel/query/query-error";
import { QueryReader } from "@swath/kernel/query/query-reader";
import { type RawBuilder, sql } from "kysely";
import { type Condition, fieldSql, fieldText } from "./query-sql.ts";

export interface SortField {
  readonly field: QueryField;
  readonly descending: boolean;
}

/** What rows are ordered by, each part as text; as many for each field as `partsOf` has. */
export type SortValues = readonly string[];

/** Texts that share so many characters count as equal, so that a cursor stays short. */
const TEXT_CHARACTERS = 100;

interface SortPart {
  readonly value: RawBuilder<unknown>;
  readonly type: "numeric" | "text";
  readonly descending: boolean;
}

/** @throws {QueryError} with the place of what is not understood */
export function readSort(sort: readonly string[], path: string): readonly SortField[] {
  const reader = new QueryReader();
  return sort.map((text, index) => {
    const descending = text.startsWith("-");
    const at = `${path}/${index}`;
    const field = reader.valueField(descending || text.startsWith("+") ? text.slice(1) : text, at);
    if (field.kind === "property" && field.path.length === 0) throw new QueryError(at, "names no property");
    return { field, descending };
  });
}

/** Numbers, then texts, then booleans, the other way round when descending; whatever has no order comes last. */
function partsOf({ field, descending }: SortField): readonly SortPart[] {
  const value = fieldSql(field);
  const type = sql`jsonb_typeof(${value})`;
  const ranks = descending
    ? sql`when 'number' then 2 when 'string' then 1 when 'boolean' then 0`
    : sql`when 'number' then 0 when 'string' then 1 when 'boolean' then 2`;
  return [
    { value: sql`(case ${type} ${ranks} else 3 end)`, type: "numeric", descending: false },
    {
      value: sql`(case ${type} when 'number' then (${value})::numeric when 'boolean' then (${value})::boolean::integer else 0 end)`,
      type: "numeric",
      descending,
    },
    {
      value: sql`(case ${type} when 'string' then left(${fieldText(field)}, ${TEXT_CHARACTERS}) else '' end)`,
      type: "text",
      descending,
    },
  ];
}

/** How many parts the values of rows have. */
export function partCount(sort: readonly SortField[]): number {
  return 3 * sort.length;
}

/** The values rows are ordered by, as a column of texts. */
export function sortValuesSql(sort: readonly SortField[]): RawBuilder<unknown> {
  const values = sort.flatMap(partsOf).map(({ value }) => sql`${value}::text`);
  return values.length === 0 ? sql`null::text[]` : sql`array[${sql.join(values)}]`;
}

function operand({ value, type }: SortPart): RawBuilder<unknown> {
  return type === "text" ? sql`${value} collate "C"` : value;
}

export function orderSql(sort: readonly SortField[]): RawBuilder<unknown> {
  const parts = sort.flatMap(partsOf).map((part) => sql`${operand(part)} ${part.descending ? sql`desc` : sql`asc`}`);
  return sql.join([...parts, sql`f.feature_key asc`]);
}

/** Rows behind those values and that key. */
export function behindSql(sort: readonly SortField[], values: SortValues, key: number): Condition {
  const parts = sort.flatMap(partsOf);
  const tests = parts.map((part, index): Condition => {
    const given = part.type === "text" ? sql`${values[index]}::text` : sql`${values[index]}::numeric`;
    const equals = parts
      .slice(0, index)
      .map((one, i) => sql`${operand(one)} = ${values[i]}::${one.type === "text" ? sql`text` : sql`numeric`}`);
    const beyond = sql`${operand(part)} ${part.descending ? sql`<` : sql`>`} ${given}`;
    return sql`(${sql.join([...equals, beyond], sql` and `)})`;
  });
  const ties = parts.map(
    (one, i) => sql`${operand(one)} = ${values[i]}::${one.type === "text" ? sql`text` : sql`numeric`}`,
  );
  const last = sql`(${sql.join([...ties, sql`f.feature_key > ${key}`], sql` and `)})`;
  return sql`(${sql.join([...tests, last], sql` or `)})`;
}
