import { formatMillionths } from "@swath/kernel/credits/micro";
import { formatInstant } from "@swath/kernel/time/instant";
import { stringify } from "csv-stringify/sync";
import type { InvoiceColumn, InvoiceContent } from "../../../platform/pdf/invoice-content.ts";
import type { Invoice, InvoiceLine, InvoiceSums } from "./invoice.ts";

/** Month and group: the same invoice has the same number whenever it is asked for. */
export function invoiceNumber({ month, groupId }: Pick<Invoice, "month" | "groupId">): string {
  return `${month}-${groupId}`;
}

/** A row for each line and none for their sum, so that a column can be summed. RFC 4180 with CRLF. */
export function invoiceCsv(invoice: Invoice): string {
  const { month, groupId, groupName, lines } = invoice;
  const rows = lines.map((line) => ({
    number: invoiceNumber(invoice),
    month,
    timeZone: "UTC",
    groupId,
    groupName,
    provider: line.provider ?? "",
    dataset: line.dataset ?? "",
    mapType: line.mapType ?? "",
    entries: line.entries,
    areaKm2: formatMillionths(line.areaM2),
    credit: formatMillionths(line.micro),
  }));
  const columns = [
    "number",
    "month",
    "timeZone",
    "groupId",
    "groupName",
    "provider",
    "dataset",
    "mapType",
    "entries",
    "areaKm2",
    "credit",
  ];
  return stringify(rows, {
    header: true,
    columns,
    record_delimiter: "windows",
    // A negative amount is no formula; texts that a spreadsheet would run are.
    cast: { string: (text, { column }) => (NUMERIC.has(String(column)) ? text : withoutFormula(text)) },
  });
}

const NUMERIC: ReadonlySet<string> = new Set(["areaKm2", "credit"]);

/** The rule of `escape_formulas` of csv-stringify. */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text;
}

const COLUMNS: readonly InvoiceColumn[] = [
  { title: "Provider", share: 0.18, align: "left" },
  { title: "Dataset", share: 0.32, align: "left" },
  { title: "Map type", share: 0.14, align: "left" },
  { title: "Entries", share: 0.1, align: "right" },
  { title: "Area, km²", share: 0.12, align: "right" },
  { title: "Credits", share: 0.14, align: "right" },
];

/** @param now when the invoice is drawn */
export function invoicePages(invoice: Invoice, now: Date): InvoiceContent {
  const createdAt = formatInstant(now.getTime());
  const state = invoice.isFinal ? "final" : `provisional: entries until ${createdAt} UTC`;
  return {
    title: `Invoice ${invoice.month}`,
    createdAt,
    facts: [
      ["Number", invoiceNumber(invoice)],
      ["Group", invoice.groupName],
      ["Period", `${formatInstant(invoice.from.getTime())} to ${formatInstant(invoice.to.getTime())}, time zone UTC`],
      ["State", state],
      ["Unit", "credits, net of returns"],
    ],
    columns: COLUMNS,
    rows: invoice.lines.map((line) => [line.provider ?? "", line.dataset ?? "", line.mapType ?? "", ...amounts(line)]),
    total: ["Total", "", "", ...amounts(invoice.total)],
  };
}

function amounts({ entries, areaM2, micro }: InvoiceSums | InvoiceLine): readonly string[] {
  return [String(entries), formatMillionths(areaM2), formatMillionths(micro)];
}
