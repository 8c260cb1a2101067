import type { Client, FoundScene } from "@swath/client";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { downloadFile } from "../download-file.ts";
import { CommandError, EXIT, UsageError } from "../exit-code.ts";
import { readExtent } from "../extent.ts";
import { parseInstant } from "../instant.ts";
import { resolveMap } from "../map-name.ts";
import { searchPages } from "../search-pages.ts";
import { parseDataset } from "../searched-datasets.ts";

export interface TimelapseOptions {
  readonly area?: string;
  readonly dataset: readonly string[];
  readonly type: string;
  readonly from?: string;
  readonly to?: string;
  readonly minIntersection: number;
  readonly limit: number;
  readonly maxCloud: number;
  readonly gapDays: number;
  readonly side: number;
  readonly frameMs: number;
  readonly out: string;
  readonly yes?: boolean;
}

/** `swath timelapse`: an animation of maps, or of all scenes of an area and period. */
export async function timelapse(
  context: CommandContext,
  options: TimelapseOptions,
  given: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const format = options.out.endsWith(".gif") ? "gif" : options.out.endsWith(".webp") ? "webp" : null;
  if (format === null) throw new UsageError(`--out is "${options.out}", expected a name that ends with .webp or .gif`);
  if (given.length > 0 === (options.area !== undefined)) {
    throw new UsageError("expected either maps or --area, which chooses scenes of --dataset");
  }
  const client = await connect(context);
  const mapIds =
    options.area === undefined
      ? await Promise.all(given.map((one) => resolveMap(context, one)))
      : await mapsOver(context, client, options, await readExtent(options.area, "--area"));
  const progress = output.progress("timelapse", 6);
  const request = {
    mapIds: [...mapIds],
    format,
    longestSidePx: options.side,
    frameMs: options.frameMs,
    maxCloudCover: options.maxCloud,
    gapDays: options.gapDays,
  } as const;
  const made = await client
    .run("/mapsvc/timelapse", request, {
      signal,
      onProgress: (step) => progress.update(step.progress?.step ?? 0, step.progress?.message ?? ""),
    })
    .finally(() => progress.stop());
  const path = await downloadFile(made.url, options.out, signal);
  const { frames, leftOut, widthPx, heightPx, size } = made;
  output.result({ path, ...made }, [
    `${path}: ${frames.length} frames of ${widthPx} x ${heightPx} pixels, ${(size / 1e6).toFixed(1)} MB`,
    ...frames.map(({ label }) => label),
    ...leftOut.map(({ sceneId, message }) => `left out ${sceneId}: ${message}`),
  ]);
}

/** Maps of the scenes that cover an area, released. Nothing is paid without `--yes`. */
async function mapsOver(
  context: CommandContext,
  client: Client,
  options: TimelapseOptions,
  extent: GeoJson,
): Promise<readonly string[]> {
  const { output, signal } = context;
  const scenes = await scenesOver(context, client, options, extent);
  const sceneIds = scenes.map(({ sceneId }) => sceneId);
  const dryRuns = [{ mapTypes: [options.type], scenes: sceneIds.map((sceneId) => [sceneId]) }];
  const { allocatedCredits } = await client.run("/mapsvc/dry-run", { dryRuns, extent }, { signal });
  const price = `${sceneIds.length} scenes cost ${allocatedCredits} credits`;
  const isFree = allocatedCredits === 0;
  if (!isFree && options.yes !== true)
    throw new CommandError(price, EXIT.credit, "repeat the command with --yes to pay");
  output.note(isFree ? `${sceneIds.length} scenes, nothing to pay` : price);
  const request = { mapTypes: [options.type], sceneIds, extent, ...(isFree ? {} : { allocate: true }) };
  const { maps, failed } = await client.run("/mapsvc/release", request, { signal });
  for (const { sceneId, errorMessage } of failed) output.note(`${sceneId}: ${errorMessage}`);
  if (maps.length === 0) throw new CommandError("no map could be made of any scene");
  return maps.map(({ mapId }) => mapId);
}

/** Scenes without too many clouds; the newest when there are more than the limit. */
async function scenesOver(
  context: CommandContext,
  client: Client,
  { dataset, from, to, minIntersection, limit, maxCloud }: TimelapseOptions,
  extent: GeoJson,
): Promise<readonly FoundScene[]> {
  if (dataset.length === 0) throw new UsageError("--area needs --dataset, such as local/uploads");
  const request = {
    extent,
    datasets: dataset.map(parseDataset),
    minIntersection,
    ...(from === undefined ? {} : { startDatetime: parseInstant(from, "--from") }),
    ...(to === undefined ? {} : { endDatetime: parseInstant(to, "--to") }),
  };
  const found = await searchPages(context, client, request, { limit, takesPartial: false });
  if (!found.complete) context.output.note(`more than ${limit} scenes: the newest are taken, --limit takes more`);
  const clear = found.results.filter(({ cloudCover }) => cloudCover === undefined || cloudCover <= maxCloud);
  if (clear.length < found.results.length) {
    context.output.note(
      `${found.results.length - clear.length} scenes left out: more cloud than --max-cloud ${maxCloud}`,
    );
  }
  if (clear.length === 0) {
    const why = found.empty === null ? "" : `: ${found.empty.message}`;
    throw new CommandError(`no scene covers the area${why}`, EXIT.notFound, "widen --from and --to, or --max-cloud");
  }
  return clear;
}
