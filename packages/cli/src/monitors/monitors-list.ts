import type { Client } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { formatTable } from "../output.ts";
import { monitorLine } from "./monitor-line.ts";

type Monitor = Awaited<ReturnType<typeof pageOf>>["results"][number];

/** `swath monitors list`: pages through the monitors until the limit. */
export async function monitorsList(context: CommandContext, { limit }: { readonly limit: number }): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const results: Monitor[] = [];
  let cursor: string | null = null;
  do {
    const page = await pageOf(client, cursor, signal);
    results.push(...page.results.slice(0, limit - results.length));
    ({ cursor } = page);
  } while (cursor !== null && results.length < limit);
  const notes = cursor === null ? [] : [`more than ${limit} monitors: raise --limit`];
  const lines = results.length === 0 ? ["no monitor"] : [...formatTable(results.map(monitorLine)), ...notes];
  output.result({ results, cursor }, lines);
}

async function pageOf(client: Client, cursor: string | null, signal: AbortSignal) {
  return await client.call("/monitor/list", cursor === null ? {} : { cursor }, { signal });
}
