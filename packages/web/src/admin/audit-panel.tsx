import { useState } from "preact/hooks";
import type { Client } from "@swath/client";
import { jsonInText } from "../format/name-in-text.ts";
import { useConsole } from "../use-console.ts";
import { adminText as text } from "./admin-text.ts";
import { entriesOf, type Entries } from "./entries-of.ts";
import { TextField } from "./fields.tsx";
import { ListTable } from "./list-table.tsx";
import { useList } from "./use-list.ts";

async function listAudit(calls: Client, { from, to, ...filter }: Entries, cursor: string | null) {
  return await calls.call("/audit/list", {
    ...filter,
    ...(from === undefined ? {} : { from: `${from}T00:00:00Z` }),
    ...(to === undefined ? {} : { to: `${to}T23:59:59.999Z` }),
    ...(cursor === null ? {} : { cursor }),
  });
}

/** Changes of rights, money and assets. */
export function AuditPanel() {
  const { calls } = useConsole();
  const [filter, setFilter] = useState<Entries>({});
  const list = useList((cursor) => listAudit(calls, filter, cursor), JSON.stringify(filter));
  return (
    <>
      <form
        class="form-grid"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setFilter(entriesOf(event.currentTarget));
        }}
      >
        <TextField name="action" label={text.actionFilter} />
        <TextField name="target" label={text.targetFilter} />
        <TextField name="from" type="date" label={text.from} />
        <TextField name="to" type="date" label={text.until} />
        <button type="submit" class="button">
          {text.find}
        </button>
      </form>
      <ListTable
        label={text.names.audit}
        list={list}
        heads={[text.time, text.actor, text.action, text.target, text.details]}
        empty={text.noEntries}
        row={({ id, time, actor, action, target, before, after }) => (
          <tr key={id}>
            <td>{time.slice(0, 16).replace("T", " ")}</td>
            <td>{actor.email ?? actor.id ?? actor.kind}</td>
            <td>{action}</td>
            <td>{`${target.kind} ${target.id}`}</td>
            <td>
              <details>
                <summary>{text.details}</summary>
                <p>{`${text.before}: ${jsonInText(before)}`}</p>
                <p>{`${text.after}: ${jsonInText(after)}`}</p>
              </details>
            </td>
          </tr>
        )}
      />
    </>
  );
}
