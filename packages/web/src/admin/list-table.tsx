import type { ComponentChildren } from "preact";
import { Failure } from "../ui/failure.tsx";
import { adminText as text } from "./admin-text.ts";
import type { ListUse } from "./use-list.ts";

/** A list as a table, with its states. */
export function ListTable<Row>(props: {
  readonly label: string;
  readonly list: ListUse<Row>;
  readonly heads: readonly string[];
  readonly empty: string;
  readonly row: (row: Row) => ComponentChildren;
}) {
  const { label, list, heads, empty, row } = props;
  const { rows, problem } = list;
  return (
    <>
      {problem !== null && <Failure error={problem} onRetry={list.reload} />}
      {rows === null && problem === null && <div class="skeleton" role="status" aria-label={text.loading} />}
      {rows?.length === 0 && <p class="hint">{empty}</p>}
      {rows !== null && rows.length > 0 && (
        <div class="table-frame" tabIndex={0}>
          <table class="table" aria-label={label}>
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{rows.map(row)}</tbody>
          </table>
        </div>
      )}
      {list.hasMore && (
        <button type="button" class="button" onClick={list.more}>
          {text.more}
        </button>
      )}
    </>
  );
}
