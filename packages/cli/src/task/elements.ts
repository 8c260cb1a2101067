import { readFile } from "node:fs/promises";
import { readPages } from "../admin/pages.ts";
import { showRows } from "../admin/show-table.ts";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { formatTable } from "../output.ts";
import { spacedTime } from "../spaced-time.ts";

/** `swath task elements list`: the sets that windows are computed from. */
export async function listElements(context: CommandContext, { limit }: { readonly limit: number }): Promise<void> {
  const { signal } = context;
  const client = await connect(context);
  const rows = await readPages(
    limit,
    (page: { readonly limit: number; readonly cursor?: number }) =>
      client.call("/scene-tasking/elements/list", { newestOnly: true, ...page }, { signal }),
    PAGE_SIZE,
  );
  showRows(
    context,
    rows,
    {
      number: ({ catalogueNumber }) => catalogueNumber,
      name: ({ name }) => name,
      epoch: ({ epoch }) => spacedTime(epoch),
      "age, days": ({ ageDays }) => ageDays.toFixed(1),
      state: ({ state }) => state,
      format: ({ format }) => format,
    },
    "no elements are imported: swath task elements import FILE",
  );
}

/** `swath task elements import`: each file is one request; a refused set does not hinder the others. */
export async function importElements(
  context: CommandContext,
  _options: object,
  files: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const answers = [];
  for (const file of files) {
    const elements = await readFile(file, "utf8");
    answers.push({ file, ...(await client.call("/scene-tasking/elements/import", { elements }, { signal })) });
  }
  output.result(
    answers,
    answers.flatMap(({ file, format, imported, results }) => [
      `${file}: ${imported} of ${results.length} sets are new, ${format}`,
      ...formatTable(
        results.map(({ position, catalogueNumber, name, status, reasons }) => [
          position,
          String(catalogueNumber ?? ""),
          name ?? "",
          status,
          reasons.join("; "),
        ]),
      ),
    ]),
  );
}

/** The largest page of element sets. */
const PAGE_SIZE = 100;
