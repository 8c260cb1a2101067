import type { Client, FoundScene } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { serviceUrl } from "../connection.ts";
import { openDemoService } from "../demo-service.ts";
import {
  createSteps,
  formatCredit,
  payForArea,
  releaseMaps,
  saveObjects,
  savePictures,
  type Done,
  type Released,
} from "../demo-steps.ts";
import { CommandError, EXIT, UsageError } from "../exit-code.ts";
import { formatTable } from "../output.ts";
import { sceneDocumentFor, type MetadataOptions } from "../scene-document.ts";
import { splitMapTypes } from "../split-map-types.ts";
import { simulateUpload } from "../simulated-upload.ts";
import { openUpload, uploadScene, type IngestedScene, type SceneUpload } from "../upload-scene.ts";

export interface DemoOptions extends MetadataOptions {
  readonly seed: number;
  readonly out: string;
  /** Show a dataset of the catalogue instead of ingesting a scene. */
  readonly dataset?: string;
  /** `longitude,latitude` of the place to show. */
  readonly place?: string;
  /** Map types between commas. */
  readonly types?: string;
}

const MAP_TYPES = "imagery,ndvi";

/** `swath demo`: everything a newcomer would do, each result checked; any failure ends it. */
export async function demo(context: CommandContext, options: DemoOptions, [file]: readonly string[]): Promise<void> {
  if (file === "tasking") {
    const { demoTasking } = await import("./demo-tasking.ts");
    await demoTasking(context, options);
    return;
  }
  if (file === "monitor") {
    const { demoMonitor } = await import("./demo-monitor.ts");
    await demoMonitor(context, options);
    return;
  }
  if (options.dataset !== undefined) {
    if (file !== undefined) throw new UsageError("a file and --dataset exclude each other");
    if (options.types !== undefined) throw new UsageError("--types and --dataset exclude each other");
    const { demoDataset } = await import("./demo-dataset.ts");
    await demoDataset(context, { ...options, dataset: options.dataset });
    return;
  }
  const { output, signal } = context;
  const mapTypes = splitMapTypes(options.types ?? MAP_TYPES, "--types");
  const begunMs = performance.now();
  const { steps, step } = createSteps(output, signal);

  await using resources = new AsyncDisposableStack();
  // The scene is drawn while the service starts; a failure of either is reported once both have ended.
  const drawn = prepare(context, options, file);
  drawn.catch(() => undefined);
  const client = await step("service", () => openDemoService(context, resources));
  const upload = await step("imagery", () => drawn);

  const ingested = await step("ingest", () => ingestUpload(client, upload, context));
  const { sceneId } = ingested;

  const scene = await step("search", () => findScene(client, sceneId, signal));
  const extent = scene.footprint;

  const credit = await step("credits", () => payForArea(client, sceneId, extent, signal));
  const released = await step("release", () => releaseMaps(client, { mapTypes, sceneId, extent }, output, signal));
  const pictures = await savePictures(
    client,
    released.maps,
    extent,
    // The simulator knows reflectance; offset and scale of a user's file may not be those it states.
    { folder: options.out, fileOf: pictureName, percentileStretch: file !== undefined },
    step,
    output,
    signal,
  );

  const objects = await saveObjects(client, released.maps, options.out, step, signal);
  const meanNdvi = await meanOf(client, released.maps.find((map) => map.mapType === "ndvi")?.mapId ?? null, signal);
  const document = {
    baseUrl: client.baseUrl,
    sceneId,
    duplicate: ingested.duplicate,
    ...credit,
    pictures,
    objects,
    meanNdvi,
    steps,
  };
  const lines = [
    "",
    ...formatTable(steps.map(({ name, what, seconds }) => [name, `${seconds.toFixed(2)} s`, what])),
    "",
    ...(meanNdvi === null ? [] : [`mean NDVI ${meanNdvi.toFixed(4)}`]),
    `${formatCredit(credit.cost)} credits spent, ${formatCredit(credit.remainingCredit)} left; ` +
      `${((performance.now() - begunMs) / 1000).toFixed(1)} s in all`,
    "",
    consoleLine(client.baseUrl, await serviceUrl(context)),
  ];
  output.result(document, lines);

  const [failure] = released.failed;
  if (failure !== undefined) throw failedMap(failure, scene);
}

/** Where to see it in a browser: a service that was started for the demonstration ends with it. */
function consoleLine(usedUrl: string, usualUrl: string): string {
  return usedUrl === usualUrl
    ? `open ${usualUrl}/console in a browser`
    : `to see it in a browser: npm start, then ${usualUrl}/console`;
}

/** Uploads a scene and makes it one of the service. */
async function ingestUpload(
  client: Client,
  upload: SceneUpload,
  { output, signal }: CommandContext,
): Promise<Done<IngestedScene>> {
  const scenes = await uploadScene(client, upload, {
    provider: "local",
    requireDatetime: false,
    progress: (total) => output.progress("upload", total),
    signal,
  });
  const [scene] = scenes;
  if (scene === undefined) throw new CommandError("the service has made no scene of the upload");
  for (const { message } of scene.warnings ?? []) output.note(`warning: ${message}`);
  return [scene, `${scene.sceneId}${scene.duplicate ? ", was there already" : ""}`];
}

/** Searches for a scene over its footprint. @throws {CommandError} when it is not among the results */
async function findScene(client: Client, sceneId: string, signal: AbortSignal): Promise<Done<FoundScene>> {
  const info = await client.call("/imagery/scene-info", { sceneId }, { signal });
  const found = await client.run(
    "/imagery/search",
    {
      datasets: [{ provider: info.provider, dataset: info.dataset }],
      extent: info.footprint,
      startDatetime: info.datetime,
      endDatetime: info.datetime,
      minIntersection: 0.999,
      limit: 1000,
    },
    { signal },
  );
  const hit = found.results.find((one) => one.sceneId === sceneId);
  if (hit === undefined) {
    throw new CommandError(`search over the scene's own footprint found ${found.results.length} scenes, but not it`);
  }
  return [hit, `found over ${hit.areaKm2.toFixed(2)} km2, ${hit.datetime} UTC, ${hit.bands.length} bands`];
}

function failedMap(failure: Released["failed"][number], { bands }: FoundScene): CommandError {
  const unnamed = bands.every(({ names }) => !/red|nir/i.test(names.join(" ")));
  return new CommandError(
    `${failure.mapType} could not be made: ${failure.errorCode}: ${failure.errorMessage}`,
    EXIT.failure,
    unnamed
      ? "the file does not say which band is which: name them with --bands and --sensor, or in FILE.scene.json"
      : null,
  );
}

function pictureName(mapType: string): string {
  return mapType === "imagery" ? "truecolor.png" : `${mapType.replaceAll(/[^\w.-]+/gu, "-").slice(0, 100)}.png`;
}

/** The imagery to ingest: the named file, or a simulated scene. */
async function prepare(
  context: CommandContext,
  options: DemoOptions,
  file: string | undefined,
): Promise<Done<SceneUpload>> {
  const begunMs = performance.now();
  if (file !== undefined) {
    const document = await sceneDocumentFor(file, options);
    const upload = await openUpload(file, document);
    const named = document === null || !("bands" in document) ? "" : ", bands named";
    return [upload, `${file}, ${(upload.content.size / 1e6).toFixed(1)} MB${named}`];
  }
  const made = await simulateUpload(options.seed, context.signal);
  const upload: SceneUpload = {
    name: `simulated-${options.seed}`,
    kind: "geotiff",
    content: made.tiff,
    document: made.document,
  };
  return [
    upload,
    `simulated, seed ${options.seed}, ${made.widthPx} x ${made.heightPx} px of ${made.resolutionM} m, 4 bands`,
    performance.now() - begunMs,
  ];
}

/** Mean of an index over the whole map, as its metadata says it. */
async function meanOf(client: Client, mapId: string | null, signal: AbortSignal): Promise<number | null> {
  if (mapId === null) return null;
  const answer = await client.file("/mapsvc/grid/:map_id/:geometry_id/:file_name", {
    params: { map_id: mapId, geometry_id: "-", file_name: "metadata.json" },
    signal,
  });
  const metadata: unknown = await answer.json();
  if (typeof metadata !== "object" || metadata === null || !("statistics" in metadata)) return null;
  const { statistics } = metadata;
  if (typeof statistics !== "object" || statistics === null || !("mean" in statistics)) return null;
  return typeof statistics.mean === "number" ? statistics.mean : null;
}
