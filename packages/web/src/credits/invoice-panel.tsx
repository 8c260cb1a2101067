import { useState } from "preact/hooks";
import type { Client } from "@swath/client";
import { creditText } from "../format/numbers.ts";
import { useConsole } from "../use-console.ts";
import { creditsText as text } from "./credits-text.ts";

type Invoice = Awaited<ReturnType<typeof readInvoice>>;

async function readInvoice(calls: Client, month: string) {
  return await calls.call("/credits/invoice", { month });
}

/** The invoice of a month, for those who may read it. */
export function InvoicePanel() {
  const { calls, rights, attempt } = useConsole();
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7));
  const [invoice, setInvoice] = useState<Invoice | null>(null);
  const mayRead = rights.value.holds("admin.credits.invoice") || rights.value.holds("organization");
  if (!mayRead) return null;
  return (
    <section class="stack" aria-label={text.invoice}>
      <h2>{text.invoice}</h2>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          attempt(async () => setInvoice(await readInvoice(calls, month)));
        }}
      >
        <input
          type="month"
          required
          aria-label={text.month}
          value={month}
          onChange={(event) => setMonth(event.currentTarget.value)}
        />
        <button type="submit" class="button">
          {text.show}
        </button>
      </form>
      {invoice !== null && (
        <p role="status">
          {text.invoiceSum(invoice.number, creditText(invoice.credit))} <a href={invoice.pdfUrl}>{text.pdf}</a>{" "}
          <a href={invoice.csvUrl}>{text.csv}</a> {!invoice.isFinal && text.open}
        </p>
      )}
    </section>
  );
}
