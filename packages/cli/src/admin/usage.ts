import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { parseInstant } from "../instant.ts";
import { downloadAddress } from "./download-address.ts";
import { findGroup } from "./find-group.ts";
import { readPages } from "./pages.ts";
import { showRows } from "./show-table.ts";

export interface UsageOptions {
  readonly group?: string;
  readonly from?: string;
  readonly to?: string;
  readonly csv?: string;
  readonly limit: number;
}

/** `swath admin usage`: the log of credit, newest first; with `--csv` all of it in a file, oldest first. */
export async function usage(context: CommandContext, options: UsageOptions): Promise<void> {
  const { output, signal } = context;
  const { group, from, to, csv } = options;
  const client = await connect(context);
  const request = {
    ...(group === undefined ? {} : { groupId: (await findGroup(client, group, signal)).id }),
    ...(from === undefined ? {} : { startTime: parseInstant(from, "--from") }),
    ...(to === undefined ? {} : { endTime: parseInstant(to, "--to") }),
  };
  if (csv !== undefined) {
    const { url } = await client.call("/credits/usage/export", request, { signal });
    const body = await downloadAddress(client.baseUrl, url, signal);
    await pipeline(Readable.fromWeb(body), createWriteStream(csv), { signal });
    output.result({ file: csv }, [`the log is in ${csv}`]);
    return;
  }
  const rows = await readPages(options.limit, (page) =>
    client.call("/credits/group/list-transactions", { ...request, ...page }, { signal }),
  );
  showRows(
    context,
    rows,
    {
      time: ({ time }) => time,
      kind: ({ kind }) => kind,
      user: ({ userId }) => userId,
      dataset: ({ provider, dataset }) => (dataset === undefined ? "" : `${provider ?? ""}/${dataset}`),
      "map type": ({ mapType }) => mapType,
      km2: ({ areaKm2 }) => areaKm2,
      credit: ({ credit }) => credit,
      scene: ({ sceneId }) => sceneId,
    },
    "no transaction: the group has spent nothing in the interval; --from and --to change it",
  );
}
