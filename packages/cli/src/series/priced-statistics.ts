import type { Client, StatisticsRequest, StatisticsResult, StatisticsRow } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { CommandError, EXIT } from "../exit-code.ts";

export type { StatisticsRow };

export interface PricedRequest extends Pick<StatisticsRequest, "areas" | "percentiles" | "resolution"> {
  readonly mapTypes: readonly string[];
  readonly sceneIds: readonly string[];
  /** Of the file. JSON: all rows are read from it. */
  readonly format: "csv" | "json";
  /** Whether the user agrees to the price. */
  readonly pays: boolean;
}

export interface PricedStatistics {
  /** In ascending time; with a file of CSV the first 1,000. */
  readonly rows: readonly StatisticsRow[];
  /** Address of the file, which has all rows. */
  readonly url: string;
  readonly chargedCredits: number;
  /** Maps without statistics, and scenes without a map of clouds, in words. */
  readonly notes: readonly string[];
}

/**
 * Statistics of scenes. Maps whose area is paid for cost nothing again; the price of the others is said first.
 *
 * @throws {CommandError} when something has a price to which the user has not agreed
 */
export async function pricedStatistics(
  { output, signal }: CommandContext,
  client: Client,
  { mapTypes, sceneIds, pays, ...request }: PricedRequest,
): Promise<PricedStatistics> {
  const dryRuns = [{ mapTypes: [...mapTypes], scenes: sceneIds.map((sceneId) => [sceneId]) }];
  const wanted = { dryRuns, extent: request.areas };
  const { allocatedCredits, allocatedKm2 } = await client.run("/mapsvc/dry-run", wanted, { signal });
  const price = `${sceneIds.length} scenes cost ${allocatedCredits} credits for ${allocatedKm2.toFixed(3)} km2`;
  if (allocatedCredits > 0 && !pays) throw new CommandError(price, EXIT.credit, "repeat the command with --yes to pay");
  output.note(allocatedCredits > 0 ? price : `${sceneIds.length} scenes, nothing to pay`);
  const progress = output.progress("statistics", 6);
  const result = await client
    .run(
      "/mapsvc/statistics",
      {
        ...request,
        mapTypes: [...mapTypes],
        sceneIds: [...sceneIds],
        ...(allocatedCredits > 0 ? { allocate: true } : {}),
      },
      { signal, onProgress: (step) => progress.update(step.progress?.step ?? 0, step.progress?.message ?? "") },
    )
    .finally(() => progress.stop());
  const { rows, isComplete, url } = result;
  return {
    rows: isComplete || request.format === "csv" ? rows : await allRows(result, signal),
    url,
    chargedCredits: result.payment?.chargedCredits ?? 0,
    notes: [
      ...(isComplete || request.format === "json" ? [] : ["the table has the first rows, the file has all"]),
      ...result.failed.map(({ mapType, sceneId, errorMessage }) => `${mapType} of ${sceneId}: ${errorMessage}`),
      ...result.unmasked.map(({ sceneId, errorMessage }) => `${sceneId} counts whole: ${errorMessage}`),
    ],
  };
}

async function allRows({ url }: Pick<StatisticsResult, "url">, signal: AbortSignal): Promise<readonly StatisticsRow[]> {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new CommandError(`the download answered ${answer.status}: ${url}`);
  return (await answer.json()) as readonly StatisticsRow[];
}
