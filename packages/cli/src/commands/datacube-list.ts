import type { Client } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { formatTable } from "../output.ts";

export interface DatacubeListOptions {
  readonly project?: string;
  readonly algorithm?: string;
  readonly limit: number;
}

type Series = Awaited<ReturnType<typeof pageOf>>["results"][number];

/** `swath datacube list`: pages through the series until the limit. */
export async function datacubeList(
  context: CommandContext,
  { algorithm, limit, project }: DatacubeListOptions,
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const chosen = {
    ...(project === undefined ? {} : { project }),
    ...(algorithm === undefined ? {} : { algorithm }),
  };
  const results: Series[] = [];
  let cursor: string | null = null;
  do {
    const page = await pageOf(client, cursor === null ? chosen : { ...chosen, cursor }, signal);
    results.push(...page.results.slice(0, limit - results.length));
    ({ cursor } = page);
  } while (cursor !== null && results.length < limit);
  const notes = cursor === null ? [] : [`more than ${limit} series: raise --limit`];
  const lines = results.length === 0 ? ["no series that you may read"] : [...tableOf(results), ...notes];
  output.result({ results, cursor }, lines);
}

async function pageOf(
  client: Client,
  request: { readonly project?: string; readonly algorithm?: string; readonly cursor?: string },
  signal: AbortSignal,
) {
  return await client.call("/datacube/catalogue/get", request, { signal });
}

function tableOf(series: readonly Series[]): readonly string[] {
  return formatTable([
    ["project", "algorithm", "source", "unit", "areas", "points", "from", "to", "cadence", "description"],
    ...series.map(({ project, algorithm, source, unit, aoiCount, datapointCount, ...rest }) => [
      project,
      algorithm,
      source,
      unit === "" ? "ratio" : unit,
      String(aoiCount),
      String(datapointCount),
      rest.startDatetime ?? "-",
      rest.endDatetime ?? "-",
      rest.cadence === "" ? "-" : rest.cadence,
      rest.description.slice(0, 60),
    ]),
  ]);
}
