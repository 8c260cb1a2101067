import type { Client, FoundScene } from "@swath/client";
import type { Polygon } from "@swath/kernel/geometry/geojson";
import { overlapRatio, prepareArea } from "@swath/kernel/geometry/intersection-ratio";
import { didYouMean } from "@swath/kernel/text/did-you-mean";
import type { CommandContext } from "../command-context.ts";
import { clearest } from "../clearest.ts";
import { openDemoService } from "../demo-service.ts";
import { createSteps, formatCredit, payForArea, releaseMaps, savePictures, type Done } from "../demo-steps.ts";
import { CommandError, EXIT, UsageError } from "../exit-code.ts";
import { listDatasets, type DatasetListing } from "../list-datasets.ts";
import { formatTable } from "../output.ts";
import { parsePlace, squareAround } from "../place.ts";

export interface DemoDatasetOptions {
  /** Name of a dataset, which is unique by itself, or `provider/dataset`. */
  readonly dataset: string;
  readonly place?: string;
  readonly out: string;
}

/** A coast at the rim of the demonstration area, which most simulated scenes show without a seam. */
const DEFAULT_PLACE = "153.22,-27.42";
/** Pixels across the picture, of the finest band. */
const PICTURE_PX = 1200;
const SHORTEST_SIDE_M = 1000;
/** Seams between scenes may run through a place. */
const LEAST_COVER = 0.3;
const DAY_MS = 86_400_000;
/** How far back scenes are looked for. */
const SEARCHED_DAYS = 400;
/** What beside its colours is shown of a dataset of each kind. */
const INDEX_OF: Readonly<Record<string, readonly string[]>> = { optical: ["ndvi"], "sar-grd": ["dprvivv"] };

/** `swath demo --dataset`: finds the clearest scene of a dataset over a place, pays, releases and draws it. */
export async function demoDataset(context: CommandContext, options: DemoDatasetOptions): Promise<void> {
  const { output, signal } = context;
  const begunMs = performance.now();
  const place = parsePlace(options.place ?? DEFAULT_PLACE);
  const { steps, step } = createSteps(output, signal);
  await using resources = new AsyncDisposableStack();
  const client = await step("service", () => openDemoService(context, resources));

  const listed = await step("dataset", () => listedDataset(client, options.dataset, signal));
  const sideM = Math.min(Math.max(SHORTEST_SIDE_M, PICTURE_PX * (listed.resolution[0] ?? 1)), listed.maxMbrSide / 4);
  const extent = squareAround(place, sideM);

  const scene = await step("search", () => clearestScene(client, listed, extent, signal));

  const credit = await step("credits", () => payForArea(client, scene.sceneId, extent, signal));
  const sceneId = await step("ingest", () => ingestScene(client, { sceneId: scene.sceneId, extent }, context));
  const mapTypes = ["imagery", ...(INDEX_OF[listed.datasetType] ?? [])];
  const released = await step("release", () => releaseMaps(client, { mapTypes, sceneId, extent }, output, signal));
  const name = fileName(listed.dataset);
  const pictures = await savePictures(
    client,
    released.maps,
    extent,
    {
      folder: options.out,
      fileOf: (mapType) => (mapType === "imagery" ? `${name}.png` : `${name}-${mapType}.png`),
      // Radar, rain and lights have no common scale that suits every scene.
      percentileStretch: listed.datasetType !== "optical",
    },
    step,
    output,
    signal,
  );
  output.result({ baseUrl: client.baseUrl, sceneId, attribution: listed.attribution, ...credit, pictures, steps }, [
    "",
    ...formatTable(steps.map((one) => [one.name, `${one.seconds.toFixed(2)} s`, one.what])),
    "",
    `${listed.attribution}; ${formatCredit(credit.cost)} credits spent, ${formatCredit(credit.remainingCredit)} left; ` +
      `${((performance.now() - begunMs) / 1000).toFixed(1)} s in all`,
  ]);
  const [failure] = released.failed;
  if (failure !== undefined) {
    throw new CommandError(
      `${failure.mapType} could not be made: ${failure.errorCode}: ${failure.errorMessage}`,
      EXIT.failure,
    );
  }
}

async function listedDataset(client: Client, name: string, signal: AbortSignal): Promise<Done<DatasetListing>> {
  const all = await listDatasets(client, signal);
  const found = all.find(({ provider, dataset }) => name === dataset || name === `${provider}/${dataset}`);
  if (found === undefined) {
    const names = all.flatMap(({ provider, dataset }) => [dataset, `${provider}/${dataset}`]);
    throw new UsageError(`there is no dataset ${name}${didYouMean(name, names)}`);
  }
  return [found, `${found.datasetName} of ${found.providerName}, ${found.resolution.join(" to ")} m`];
}

/** The least cloudy recent scene among those that cover most of the extent. */
async function clearestScene(
  client: Client,
  { provider, dataset }: DatasetListing,
  extent: Polygon,
  signal: AbortSignal,
): Promise<Done<FoundScene>> {
  const { results } = await client.run(
    "/imagery/search",
    {
      datasets: [{ provider, dataset }],
      extent,
      startDatetime: sceneTime(Date.now() - SEARCHED_DAYS * DAY_MS),
      minIntersection: LEAST_COVER,
      limit: 500,
    },
    { signal },
  );
  const best = clearest(fullest(results, extent));
  if (best === null) {
    throw new CommandError(
      `no scene of ${dataset} covers that place in the last ${SEARCHED_DAYS} days`,
      EXIT.notFound,
      "name another with --place longitude,latitude",
    );
  }
  const cloud = best.cloudCover === undefined ? "" : `, ${(100 * best.cloudCover).toFixed(1)}% cloud`;
  return [best, `${results.length} scenes, chosen ${best.sceneId}, ${best.datetime} UTC${cloud}`];
}

/** Brings the pixels of a scene into the store; the id may be a cutting's. */
async function ingestScene(
  client: Client,
  request: { readonly sceneId: string; readonly extent: Polygon },
  { output, signal }: CommandContext,
): Promise<Done<string>> {
  const progress = output.progress("ingest", 6);
  const { ingestedScenes } = await client
    .run("/imagery/ingest", request, {
      signal,
      onProgress: (status) => progress.update(status.progress?.step ?? 0, status.progress?.message),
    })
    .finally(() => progress.stop());
  const [first] = ingestedScenes;
  if (first === undefined) throw new CommandError("the service has ingested nothing");
  return [first.sceneId, first.duplicate ? "was there already" : "its pixels are in the store"];
}

/** Scenes that cover as much of the extent as any does. */
function fullest(scenes: readonly FoundScene[], extent: Polygon): readonly FoundScene[] {
  const whole = prepareArea({ type: "MultiPolygon", coordinates: [extent.coordinates] });
  const covers = scenes.map(({ footprint }) => overlapRatio(whole, prepareArea(footprint), "extent"));
  const most = Math.max(...covers);
  return scenes.filter((_, index) => (covers[index] ?? 0) > most - 0.02);
}

function sceneTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

/** A dataset's name as the name of a file. */
function fileName(dataset: string): string {
  return dataset
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}
