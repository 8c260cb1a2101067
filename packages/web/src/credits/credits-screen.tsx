import { formatCredits } from "../format/numbers.ts";
import { useConsole } from "../use-console.ts";
import { Failure } from "../ui/failure.tsx";
import { creditsText as text } from "./credits-text.ts";
import { CreditLimits } from "./credit-limits.tsx";
import { InvoicePanel } from "./invoice-panel.tsx";
import { LedgerPanel } from "./ledger-panel.tsx";
import { SpendingPanel } from "./spending-panel.tsx";
import { useLedger } from "./use-ledger.ts";

/** Balance, credit log, spending and invoices. */
export function CreditsScreen() {
  const use = useLedger();
  const { open } = useConsole();
  const { loaded, problem } = use;
  if (loaded === null && problem !== null) {
    return (
      <div class="page">
        <Failure error={problem} onRetry={use.load} />
      </div>
    );
  }
  if (loaded === null) {
    return (
      <div class="page" role="status" aria-label={text.loading}>
        <div class="skeleton" />
        <div class="skeleton" />
      </div>
    );
  }
  const { main, tail } = formatCredits(loaded.balance);
  return (
    <div class="page">
      <section aria-label={text.left}>
        <h2>{text.left}</h2>
        <p class="one-number" data-testid="balance">
          {main}
          <span class="tail">{tail}</span> <small>{text.credits}</small>
        </p>
        {loaded.limits !== null && <CreditLimits limits={loaded.limits} />}
      </section>
      {loaded.entries.length === 0 ? (
        <div class="state">
          <p>{text.none}</p>
          <button type="button" class="button primary" onClick={() => open("")}>
            {text.find}
          </button>
        </div>
      ) : (
        <>
          <LedgerPanel use={use} rows={loaded.rows} cursor={loaded.cursor} />
          <SpendingPanel rows={loaded.rows} />
        </>
      )}
      <InvoicePanel />
    </div>
  );
}
