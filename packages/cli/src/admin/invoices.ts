import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { downloadAddress } from "./download-address.ts";
import { findGroup, listGroups } from "./find-group.ts";
import { showRows } from "./show-table.ts";

export interface InvoicesOptions {
  readonly month: string;
  readonly group?: readonly string[];
  readonly out: string;
  readonly format: "csv" | "pdf" | "both" | "none";
  readonly limit: number;
}

/** `swath admin invoices`: the invoices of a month, of the named groups or of all that the caller looks after. */
export async function invoices(context: CommandContext, options: InvoicesOptions): Promise<void> {
  const { output, signal } = context;
  const { month, out, limit } = options;
  const client = await connect(context);
  const groups = await groupsOf(client, options, signal);
  const progress = output.progress("invoices", groups.results.length);
  const results: InvoiceRow[] = [];
  try {
    for (const [i, { id }] of groups.results.slice(0, limit).entries()) {
      const invoice = await client.call("/credits/invoice", { month, groupId: id }, { signal });
      // Without a name of a group, groups with nothing to bill need no invoice.
      if (invoice.lines.length > 0 || options.group !== undefined) {
        const { csvUrl, pdfUrl, expires: _expires, ...rest } = invoice;
        const files = await writeFiles(client, { csv: csvUrl, pdf: pdfUrl }, join(out, rest.number), options, signal);
        results.push({ ...rest, files });
      }
      progress.update(i + 1, `${i + 1} groups`);
    }
  } finally {
    progress.stop();
  }
  showRows(
    context,
    { results, complete: groups.complete },
    {
      month: (row) => `${row.month} ${row.timeZone}`,
      group: ({ groupName }) => groupName,
      entries: ({ entries }) => entries,
      km2: ({ areaKm2 }) => areaKm2,
      credit: ({ credit }) => credit,
      state: ({ isFinal }) => (isFinal ? "final" : "provisional"),
      files: ({ files }) => files.join(" "),
    },
    `no invoice: no group has spent credit in ${month}`,
  );
}

interface InvoiceRow {
  readonly month: string;
  readonly timeZone: string;
  readonly groupName: string;
  readonly entries: number;
  readonly areaKm2: number;
  readonly credit: number;
  readonly isFinal: boolean;
  readonly files: readonly string[];
}

async function groupsOf(client: Client, { group, limit }: InvoicesOptions, signal: AbortSignal) {
  if (group === undefined) return listGroups(client, limit, signal);
  const results: { readonly id: string }[] = [];
  for (const one of group) results.push(await findGroup(client, one, signal));
  return { results, complete: true };
}

async function writeFiles(
  client: Client,
  addresses: Readonly<Record<"csv" | "pdf", string>>,
  stem: string,
  { format, out }: InvoicesOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const files: string[] = [];
  for (const kind of ["csv", "pdf"] as const) {
    if (format !== kind && format !== "both") continue;
    await mkdir(out, { recursive: true });
    const path = `${stem}.${kind}`;
    const body = await downloadAddress(client.baseUrl, addresses[kind], signal);
    await pipeline(Readable.fromWeb(body), createWriteStream(path), { signal });
    files.push(path);
  }
  return files;
}
