import type { Client, FoundScene } from "@swath/client";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import type { CommandContext } from "../command-context.ts";
import { CommandError, EXIT } from "../exit-code.ts";
import { parseInstant } from "../instant.ts";
import { searchPages } from "../search-pages.ts";
import { namedDatasets, parseDataset } from "../searched-datasets.ts";

export interface PeriodOptions {
  readonly dataset: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly minIntersection: number;
  /** Highest share of a scene under cloud. */
  readonly maxCloud?: number;
  readonly limit: number;
}

/** The newest scenes of datasets in a period. @throws {CommandError} without a scene */
export async function searchedScenes(
  context: CommandContext,
  client: Client,
  extent: GeoJson,
  { dataset, from, to, minIntersection, maxCloud, limit }: PeriodOptions,
): Promise<readonly FoundScene[]> {
  const { output, signal } = context;
  const conditions = {
    ...(from === undefined ? {} : { startDatetime: parseInstant(from, "--from") }),
    ...(to === undefined ? {} : { endDatetime: parseInstant(to, "--to") }),
  };
  const { datasets } = await namedDatasets(client, dataset.map(parseDataset), signal);
  const request = { ...conditions, extent, datasets: [...datasets], minIntersection };
  const found = await searchPages(context, client, request, { limit, takesPartial: false });
  if (!found.complete) output.note(`more than ${limit} scenes: the newest are taken, --limit takes more`);
  const clear = found.results.filter(({ cloudCover = 0 }) => maxCloud === undefined || cloudCover <= maxCloud);
  const cloudy = found.results.length - clear.length;
  if (cloudy > 0) output.note(`${cloudy} scenes have more clouds than --max-cloud`);
  if (clear.length > 0) return clear;
  const why = found.empty === null ? "" : `: ${found.empty.message}`;
  throw new CommandError(`no scene covers the area${why}`, EXIT.notFound, "widen --from and --to, or another dataset");
}
