import { useMemo, useState } from "preact/hooks";
import { messageOf } from "../failures/message-of.ts";
import { formatArea } from "../format/numbers.ts";
import type { Column } from "../ui/column.ts";
import { Credits } from "../ui/credits.tsx";
import { VirtualTable } from "../ui/virtual-table.tsx";
import { useConsole } from "../use-console.ts";
import { creditsText as text } from "./credits-text.ts";
import { creditsOf, filteredRows, NO_FILTER, sumMicro, type LedgerFilter, type LedgerRow } from "./ledger.ts";
import type { LedgerUse } from "./use-ledger.ts";

const KINDS = ["credit.allocate", "credit.preallocate", "credit.update", "credit.return"] as const;

/** The credit log as a table, its filter and the sum of its rows. */
export function LedgerPanel(props: {
  readonly use: LedgerUse;
  readonly rows: readonly LedgerRow[];
  readonly cursor: string | null;
}) {
  const { use, rows, cursor } = props;
  const { session } = useConsole();
  const [filter, setFilter] = useState(NO_FILTER);
  const shown = useMemo(() => filteredRows(rows, filter), [rows, filter]);
  const { value: user } = session.state;
  const columns = useMemo(() => columnsFor(user.kind === "signed-in" ? user.userId : null), [user]);
  return (
    <section class="stack" aria-label={text.ledger}>
      <h2>{use.scope === "group" ? text.ledger : text.ownLedger}</h2>
      <p class="hint">{text.about}</p>
      <FilterFields filter={filter} onChange={setFilter} />
      {shown.length === 0 ? (
        <p role="status">
          {text.noRows(rows.length)}{" "}
          <button type="button" class="link" onClick={() => setFilter(NO_FILTER)}>
            {text.showAll}
          </button>
        </p>
      ) : (
        <div class="ledger">
          <VirtualTable label={text.ledger} columns={columns} rows={shown} idOf={({ id }) => id} />
        </div>
      )}
      <p role="status">
        {text.rows(shown.length)}. {text.sum}:{" "}
        <strong data-testid="sum">
          <Credits value={creditsOf(sumMicro(shown))} />
        </strong>{" "}
        {shown.length === rows.length && text.isBalance}
      </p>
      {use.problem !== null && (
        <p class="note bad" role="alert">
          {messageOf(use.problem)}
        </p>
      )}
      {cursor !== null && (
        <button type="button" class="button" onClick={use.more}>
          {text.more}
        </button>
      )}
    </section>
  );
}

function columnsFor(ownId: string | null): readonly Column<LedgerRow>[] {
  return [
    { name: "time", title: text.columns.time, weight: 2, cell: ({ time }) => time?.slice(0, 16) ?? "" },
    { name: "kind", title: text.columns.kind, weight: 2, cell: ({ kind }) => text.kinds[kind] },
    { name: "what", title: text.columns.what, weight: 2, cell: ({ dataset }) => dataset ?? "" },
    {
      name: "user",
      title: text.columns.user,
      weight: 2,
      cell: ({ userId }) => (userId !== null && userId === ownId ? text.you : (userId ?? "")),
    },
    {
      name: "area",
      title: text.columns.area,
      isNumber: true,
      cell: ({ areaKm2 }) => (areaKm2 === null ? "" : formatArea(areaKm2)),
    },
    {
      name: "credit",
      title: text.columns.credit,
      isNumber: true,
      weight: 1.5,
      cell: ({ micro }) => <Credits value={creditsOf(micro)} />,
      sortKey: ({ micro }) => micro,
    },
  ];
}

function FilterFields(props: { readonly filter: LedgerFilter; readonly onChange: (filter: LedgerFilter) => void }) {
  const { filter, onChange } = props;
  const { calls, rights, attempt } = useConsole();
  const download = async (): Promise<void> => {
    const { url } = await calls.call("/credits/usage/export", {
      ...(filter.start === "" ? {} : { startTime: `${filter.start} 00:00:00` }),
      ...(filter.end === "" ? {} : { endTime: `${filter.end} 23:59:59` }),
    });
    location.assign(url);
  };
  return (
    <div class="form-grid">
      <label class="field">
        <span>{text.start}</span>
        <input
          type="date"
          value={filter.start}
          onChange={(event) => onChange({ ...filter, start: event.currentTarget.value })}
        />
      </label>
      <label class="field">
        <span>{text.end}</span>
        <input
          type="date"
          value={filter.end}
          onChange={(event) => onChange({ ...filter, end: event.currentTarget.value })}
        />
      </label>
      <label class="field">
        <span>{text.kind}</span>
        <select
          value={filter.kind}
          onChange={(event) =>
            onChange({ ...filter, kind: KINDS.find((one) => one === event.currentTarget.value) ?? "" })
          }
        >
          <option value="">{text.allKinds}</option>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {text.kinds[kind]}
            </option>
          ))}
        </select>
      </label>
      {rights.value.holds("credits.export-usage") && (
        <button type="button" class="button" onClick={() => attempt(download)}>
          {text.csv}
        </button>
      )}
    </div>
  );
}
