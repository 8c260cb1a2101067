import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type Client } from "@swath/client";
import { extentBounds } from "../bounds.ts";
import type { CommandContext } from "../command-context.ts";
import { givenCredentials, serviceUrl } from "../connection.ts";
import { dataFolder, findDemoLogin } from "../demo-login.ts";
import { downloadPicture } from "../download-picture.ts";
import { CommandError, EXIT } from "../exit-code.ts";
import { pictureFile } from "../map-token.ts";
import { formatTable } from "../output.ts";
import { isAnswering, startOwnService } from "../own-service.ts";
import { sceneDocumentFor, type MetadataOptions } from "../scene-document.ts";
import { simulateUpload } from "../simulated-upload.ts";
import { chooseZoom } from "../tile-plan.ts";
import { openUpload, uploadScene, type SceneUpload } from "../upload-scene.ts";

export interface DemoOptions extends MetadataOptions {
  readonly seed: number;
  readonly out: string;
}

/** A line of the closing table. */
interface Step {
  readonly name: string;
  readonly what: string;
  readonly seconds: number;
}

/** A result and what to say of it; with the time it took where that is not the time waited for it. */
type Done<Result> = readonly [result: Result, what: string, elapsedMs?: number];

const MAP_TYPES = ["imagery", "ndvi"];

/** `swath demo`: everything a newcomer would do, each result checked; any failure ends it. */
export async function demo(context: CommandContext, options: DemoOptions, [file]: readonly string[]): Promise<void> {
  const { output, signal } = context;
  const begunMs = performance.now();
  const steps: Step[] = [];
  async function step<Result>(name: string, work: () => Promise<Done<Result>>): Promise<Result> {
    signal.throwIfAborted();
    const startedMs = performance.now();
    output.note(`${name} …`);
    const [result, what, elapsedMs] = await work();
    steps.push({ name, what, seconds: (elapsedMs ?? performance.now() - startedMs) / 1000 });
    return result;
  }

  await using resources = new AsyncDisposableStack();
  // The scene is drawn while the service starts; a failure of either is reported once both have ended.
  const drawn = prepare(context, options, file);
  drawn.catch(() => undefined);
  const client = await step("service", () => openService(context, resources));
  const upload = await step("imagery", () => drawn);

  const ingested = await step("ingest", async () => {
    const scenes = await uploadScene(client, upload, {
      provider: "local",
      progress: (total) => output.progress("upload", total),
      signal,
    });
    const [scene] = scenes;
    if (scene === undefined) throw new CommandError("the service has made no scene of the upload");
    return [scene, `${scene.sceneId}${scene.duplicate ? ", was there already" : ""}`] as const;
  });
  const { sceneId } = ingested;

  const scene = await step("search", async () => {
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
    return [hit, `found over ${hit.areaKm2.toFixed(2)} km2, ${hit.datetime} UTC, ${hit.bands.length} bands`] as const;
  });
  const extent = scene.footprint;

  const credit = await step("credits", async () => {
    const before = await client.call("/credits/get-remaining-credit", {}, { signal });
    const quote = await client.call(
      "/credits/area/check-geojson",
      { sceneIds: [sceneId], geojson: extent },
      { signal },
    );
    const paid = await client.call(
      "/credits/area/allocate-geojson",
      { sceneIds: [sceneId], geojson: extent },
      { signal },
    );
    const after = await client.call("/credits/get-remaining-credit", {}, { signal });
    const spent = before.remainingCredit - after.remainingCredit;
    if (Math.abs(paid.cost - quote.cost) > 1e-6 || Math.abs(spent - paid.cost) > 1e-6) {
      throw new CommandError(`quoted ${quote.cost} credits, charged ${paid.cost}, missing ${spent}`, EXIT.credit);
    }
    const result = { cost: paid.cost, km2: paid.km2, remainingCredit: after.remainingCredit };
    return [
      result,
      `${paid.km2.toFixed(2)} km2 for ${formatCredit(paid.cost)} credits, ${formatCredit(after.remainingCredit)} left`,
    ] as const;
  });

  const released = await step("release", async () => {
    const progress = output.progress("release", 6);
    const result = await client
      .run(
        "/mapsvc/release",
        { mapTypes: MAP_TYPES, sceneIds: [sceneId], extent },
        { signal, onProgress: (status) => progress.update(status.progress?.step ?? 0, status.progress?.message) },
      )
      .finally(() => progress.stop());
    const parts = [
      ...result.maps.map((map) => `${map.mapType} to zoom ${map.maxZoom}`),
      ...result.failed.map((map) => `${map.mapType} failed: ${map.errorCode}`),
    ];
    return [result, parts.join(", ")] as const;
  });

  const pictures: { readonly path: string; readonly widthPx: number; readonly heightPx: number }[] = [];
  await mkdir(options.out, { recursive: true });
  const bounds = extentBounds(extent);
  // One zoom for all, so that the pictures lie on each other.
  // The simulator knows reflectance; offset and scale of a user's file may not be those it states.
  const percentileStretch = file !== undefined;
  const deepest = Math.min(...released.maps.map((map) => map.maxZoom));
  for (const map of released.maps) {
    const picture = await step(map.mapType === "imagery" ? "picture" : map.mapType, async () => {
      const zoom = chooseZoom(map.tiles, deepest, bounds);
      const fileName = pictureFile(map.mapType);
      const request = {
        mapId: map.mapId,
        tiles: map.tiles,
        zoom,
        bounds,
        fileName,
        percentileStretch,
        tileFolder: null,
      };
      const made = await downloadPicture(client, request, output, signal);
      const path = join(options.out, fileName);
      await writeFile(path, made.png);
      return [
        { path, widthPx: made.widthPx, heightPx: made.heightPx },
        `${path}, ${made.widthPx} x ${made.heightPx} px from ${made.tiles} tiles of zoom ${zoom}`,
      ] as const;
    });
    pictures.push(picture);
  }

  const meanNdvi = await meanOf(client, released.maps.find((map) => map.mapType === "ndvi")?.mapId ?? null, signal);
  const document = {
    baseUrl: client.baseUrl,
    sceneId,
    duplicate: ingested.duplicate,
    ...credit,
    pictures,
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
  ];
  output.result(document, lines);

  const [failure] = released.failed;
  if (failure !== undefined) {
    const unnamed = scene.bands.every(({ names }) => !/red|nir/i.test(names.join(" ")));
    throw new CommandError(
      `${failure.mapType} could not be made: ${failure.errorCode}: ${failure.errorMessage}`,
      EXIT.failure,
      unnamed
        ? "the file does not say which band is which: name them with --bands and --sensor, or in FILE.scene.json"
        : null,
    );
  }
}

function formatCredit(credits: number): string {
  return credits.toFixed(credits !== 0 && Math.abs(credits) < 1 ? 4 : 2);
}

/** The running service as the demonstration user; one of its own when none runs where none was asked for. */
async function openService(
  context: CommandContext,
  resources: AsyncDisposableStack,
): Promise<readonly [Client, string]> {
  const configured = await serviceUrl(context);
  const folder = dataFolder(process.env);
  let url = configured;
  let what = `running at ${configured}`;
  if (!(await isAnswering(configured))) {
    if (context.connection.url !== undefined || context.environment.url !== null) {
      throw new CommandError(
        `no service answers at ${configured}`,
        EXIT.failure,
        "start one there, or leave the address out",
      );
    }
    const own = resources.use(await startOwnService(folder));
    url = own.url;
    what = `started at ${own.url}, data in ${folder}`;
  }
  const { token } = context.connection;
  if (token !== undefined) return [createClient({ baseUrl: url, token }), what];
  const given = givenCredentials(context) ?? (await findDemoLogin(folder, process.env));
  if (given === null) {
    throw new CommandError(
      `the demo user's password for ${url} is not known`,
      EXIT.auth,
      "give --email and --password, or start the service with swath serve, which remembers it",
    );
  }
  const client = createClient({ baseUrl: url, credentials: { username: given.email, password: given.password } });
  await client.token();
  return [client, `${what}, as ${given.email}`];
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
