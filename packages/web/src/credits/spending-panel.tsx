import { Credits } from "../ui/credits.tsx";
import { useConsole } from "../use-console.ts";
import { creditsText as text } from "./credits-text.ts";
import { creditsOf, spendingBy, type LedgerRow } from "./ledger.ts";

/** Spending of the loaded rows by dataset and by user. */
export function SpendingPanel({ rows }: { readonly rows: readonly LedgerRow[] }) {
  const { session } = useConsole();
  const { value: user } = session.state;
  const ownId = user.kind === "signed-in" ? user.userId : null;
  return (
    <section class="stack" aria-label={text.spending}>
      <h2>{text.spending}</h2>
      <div class="form-grid top">
        <Sums title={text.byDataset} rows={rows} member="dataset" nameOf={(name) => name ?? text.unnamed} />
        <Sums
          title={text.byUser}
          rows={rows}
          member="userId"
          nameOf={(name) => (name === ownId ? text.you : (name ?? ""))}
        />
      </div>
    </section>
  );
}

function Sums(props: {
  readonly title: string;
  readonly rows: readonly LedgerRow[];
  readonly member: "dataset" | "userId";
  readonly nameOf: (name: string | null) => string;
}) {
  const { title, rows, member, nameOf } = props;
  return (
    <div class="table-frame">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col" class="number">
              {text.columns.credit}
            </th>
          </tr>
        </thead>
        <tbody>
          {spendingBy(rows, member).map(({ name, micro }) => (
            <tr key={name}>
              <td>{nameOf(name)}</td>
              <td class="number">
                <Credits value={creditsOf(micro)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
