import type { Client } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { formatTable } from "../output.ts";
import { rememberSeen } from "../remember.ts";

export interface AnalysesListOptions {
  readonly path?: string;
  readonly limit: number;
}

type Analysis = Awaited<ReturnType<typeof pageOf>>["results"][number];

const STATUSES = ["new", "queued", "processing", "finished", "failed"];

/** `swath analyses list`: pages through the analyses until the limit. */
export async function analysesList(context: CommandContext, { limit, path }: AnalysesListOptions): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const results: Analysis[] = [];
  let cursor: string | null = null;
  do {
    const page = await pageOf(client, { path, cursor }, signal);
    results.push(...page.results.slice(0, limit - results.length));
    ({ cursor } = page);
  } while (cursor !== null && results.length < limit);
  await rememberSeen(context, { analyses: results.map(({ id }) => id) });
  const notes = cursor === null ? [] : [`more than ${limit} analyses: raise --limit`];
  const lines = results.length === 0 ? ["no analysis that you may read"] : [...tableOf(results), ...notes];
  output.result({ results, cursor }, lines);
}

async function pageOf(
  client: Client,
  { cursor, path }: { readonly cursor: string | null; readonly path: string | undefined },
  signal: AbortSignal,
) {
  const request = { ...(path === undefined ? {} : { path }), ...(cursor === null ? {} : { cursor }) };
  return await client.call("/analytics/analysis/list", request, { signal });
}

function tableOf(analyses: readonly Analysis[]): readonly string[] {
  return formatTable(
    analyses.map(({ analysisFrames, createdOn, description, id, path, polygon, status }) => [
      id,
      createdOn,
      path,
      polygon?.properties?.name ?? description.slice(0, 40),
      `${analysisFrames.length} frames`,
      STATUSES[status] ?? "",
    ]),
  );
}
