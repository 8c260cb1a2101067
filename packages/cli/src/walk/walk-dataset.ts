import { ApiError, type Client, type FoundScene } from "@swath/client";
import { CommandError } from "../exit-code.ts";
import { clearest } from "../clearest.ts";
import { squareAround } from "../place.ts";
import type { DatasetListing } from "../list-datasets.ts";
import { sampleUpload } from "./sample-upload.ts";
import type { SpecifiedDataset } from "./specified-datasets.ts";

/** What a walk tries of every dataset, in this order. */
export const WALK_STEPS = ["listed", "searched", "scene-info", "thumbnail", "get-image", "ingested"] as const;
type WalkStep = (typeof WALK_STEPS)[number];

/** How a step ended; `what` says what was found or what went wrong. */
interface WalkOutcome {
  readonly passed: boolean;
  readonly what: string;
}

export interface WalkedDataset {
  readonly provider: string;
  readonly dataset: string;
  readonly steps: Readonly<Record<WalkStep, WalkOutcome>>;
  readonly seconds: number;
}

/** Pixels along the side of the image that is exported. */
const IMAGE_PX = 128;
/** Area that is searched: small, so that the smallest scenes cover it. */
const SEARCHED_M = 1000;

/**
 * Walks one dataset from its listing to pixels in the store. A step that fails does not end the walk; those that need
 * what it should have found fail with it.
 */
export async function walkDataset(
  client: Client,
  specified: SpecifiedDataset,
  listings: readonly DatasetListing[],
  place: readonly [lonDeg: number, latDeg: number],
  signal: AbortSignal,
): Promise<WalkedDataset> {
  const startedMs = performance.now();
  const { provider, dataset } = specified;
  const steps = Object.fromEntries(
    WALK_STEPS.map((step): [WalkStep, WalkOutcome] => [step, { passed: false, what: "not reached" }]),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every step has its entry
  ) as Record<WalkStep, WalkOutcome>;
  async function attempt<Result>(
    step: WalkStep,
    work: () => Promise<readonly [Result, string]>,
  ): Promise<Result | null> {
    signal.throwIfAborted();
    try {
      const [result, what] = await work();
      steps[step] = { passed: true, what };
      return result;
    } catch (error) {
      signal.throwIfAborted();
      steps[step] = { passed: false, what: told(error) };
      return null;
    }
  }

  const listing = await attempt("listed", () => findListing(specified, listings));
  const found =
    listing === null ? null : await attempt("searched", () => searchPeriod(client, specified, listing, place, signal));
  const scene = clearest(found ?? []);
  if (listing !== null && found !== null && scene !== null) {
    const { sceneId } = scene;
    await attempt("scene-info", async () => {
      const info = await client.call("/imagery/scene-info", { sceneId }, { signal });
      expect(info.sceneId === sceneId && info.provider === provider && info.dataset === dataset, "another scene");
      expect(info.bands.length > 0, "a scene without bands");
      return [info, `${info.bands.length} bands`];
    });
    await attempt("thumbnail", () => checkThumbnail(client, sceneId, listing.thumbnail, signal));
    const imageId = await attempt("get-image", () => getSomeImage(client, found, listing, place, signal));
    if (imageId === "") steps.ingested = { passed: true, what: "not delivered" };
    else if (imageId !== null) {
      await attempt("ingested", async () => {
        const kept = await client.call("/imagery/scene-info", { sceneId: imageId, forceOffline: true }, { signal });
        return [kept, kept.areaKm2 < 0.1 ? "in the store" : `${kept.areaKm2.toFixed(1)} km2`];
      });
    }
  }
  return { provider, dataset, steps, seconds: (performance.now() - startedMs) / 1000 };
}

function findListing(
  { provider, dataset }: SpecifiedDataset,
  listings: readonly DatasetListing[],
): Promise<readonly [DatasetListing, string]> {
  const listing = listings.find((one) => one.provider === provider && one.dataset === dataset);
  if (listing === undefined) return Promise.reject(new CommandError("is not listed"));
  const { datasetType, resolution, attribution, maxMbrSide } = listing;
  const complete = resolution.length === 2 && attribution !== "" && maxMbrSide > 0;
  if (!complete) return Promise.reject(new CommandError("its listing is incomplete"));
  return Promise.resolve([listing, datasetType]);
}

/** Scenes of the period, found alone: some datasets refuse to be searched with others. */
async function searchPeriod(
  client: Client,
  specified: SpecifiedDataset,
  listing: DatasetListing,
  place: readonly [number, number],
  signal: AbortSignal,
): Promise<readonly [readonly FoundScene[], string]> {
  const { provider, dataset, from, to, hasCatalogue } = specified;
  const request = {
    datasets: [{ provider, dataset }],
    extent: squareAround(place, Math.max(SEARCHED_M, listing.resolution[0] ?? 0)),
    startDatetime: `${from} 00:00:00`,
    endDatetime: `${to} 23:59:59`,
    limit: 100,
  };
  const search = async (more: { readonly onlyIngested?: boolean; readonly minIntersection?: number }) =>
    (await client.run("/imagery/search", { ...request, ...more }, { signal })).results;
  let results = hasCatalogue ? await search({}) : await searchWithoutCatalogue(() => search({}));
  // Of a dataset without a catalogue, or one that is bound to the store alone, there is what operators bring in.
  const isDelivered = results.length === 0 && listing.canBeIngested;
  if (isDelivered) {
    await deliver(client, specified, listing, place, signal);
    results = await search({ onlyIngested: true, minIntersection: 0 });
  }
  const scene = clearest(results);
  if (scene === null) throw new CommandError(`found nothing from ${from} to ${to}`);
  expect(scene.provider === provider && scene.dataset === dataset, `found a scene of ${scene.dataset}`);
  return [results, `${results.length}${isDelivered ? " ingested" : ""}`];
}

/** What a source that stands in for the catalogue finds; nothing when the search is refused as it should be else. */
async function searchWithoutCatalogue(search: () => Promise<readonly FoundScene[]>): Promise<readonly FoundScene[]> {
  try {
    return await search();
  } catch (error) {
    if (error instanceof ApiError && error.code === "DATASET-NOT-SUPPORTED-FOR-SEARCH") return [];
    throw error;
  }
}

/** Ingests a small image of the period, as an operator does with a delivery in hand. */
async function deliver(
  client: Client,
  { provider, dataset, from }: SpecifiedDataset,
  listing: DatasetListing,
  place: readonly [number, number],
  signal: AbortSignal,
): Promise<void> {
  const bands = listing.datasetType === "optical" ? ["blue", "green", "red", "nir"] : ["VV"];
  await client.upload(sampleUpload(dataset, place, listing.resolution[0] ?? 1, bands), {
    filename: dataset.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
    uploadSuffix: ".geotiff",
    provider,
    dataset,
    metadata: { datetime: `${from.slice(0, 8)}15T10:20:30Z`, satellite: "delivered", bands },
    signal,
  });
}

async function checkThumbnail(
  client: Client,
  sceneId: string,
  expected: boolean,
  signal: AbortSignal,
): Promise<readonly [null, string]> {
  const ask = () => client.file("/imagery/thumbnail", { params: {}, query: { scene_id: sceneId }, signal });
  if (!expected) {
    await expectRefusal(404, async () => (await ask()).body?.cancel());
    return [null, "none, as flagged"];
  }
  const answer = await ask();
  const { byteLength } = await answer.arrayBuffer();
  const type = answer.headers.get("content-type") ?? "";
  expect(type.startsWith("image/") && byteLength > 0, `${byteLength} bytes of ${type}`);
  return [null, `${(byteLength / 1000).toFixed(1)} kB`];
}

/** Scenes that are tried until one has valid pixels at the place: atmospheric ones are full of gaps. */
const MOST_TRIED = 6;

/** Exports an image of the clearest scene that has pixels; answers its identifier, empty of what is not delivered. */
async function getSomeImage(
  client: Client,
  found: readonly FoundScene[],
  listing: DatasetListing,
  place: readonly [number, number],
  signal: AbortSignal,
): Promise<readonly [string, string]> {
  const clearestFirst = found.toSorted((a, b) => (a.cloudCover ?? 0) - (b.cloudCover ?? 0));
  for (const [index, scene] of clearestFirst.slice(0, MOST_TRIED).entries()) {
    if (!scene.downloadable) {
      await expectRefusal("DATA-NOT-AVAILABLE", () => getImage(client, scene, listing, place, signal));
      return ["", "none, as flagged"];
    }
    try {
      return await getImage(client, scene, listing, place, signal);
    } catch (error) {
      const isLast = index + 1 >= Math.min(MOST_TRIED, found.length);
      if (isLast || !(error instanceof ApiError) || error.code !== "SCENE-UNREADABLE") throw error;
    }
  }
  throw new CommandError("no scene to export");
}

/** Exports a small image and downloads it; answers the scene it is of, which for clipped imagery is a new one. */
async function getImage(
  client: Client,
  scene: FoundScene,
  listing: DatasetListing,
  place: readonly [number, number],
  signal: AbortSignal,
): Promise<readonly [string, string]> {
  const sideM = IMAGE_PX * Math.max(0.3, listing.resolution[0] ?? 1);
  const { meta, url } = await client.run(
    "/imagery/get-image",
    { sceneId: scene.sceneId, extent: squareAround(place, sideM) },
    { signal },
  );
  const answer = await fetch(url, { signal });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  // A SKI file is a gzip archive.
  expect(answer.ok && bytes[0] === 0x1f && bytes[1] === 0x8b, `the image answers ${answer.status}`);
  return [meta.sceneId, `${(bytes.length / 1000).toFixed(0)} kB`];
}

function expect(condition: boolean, otherwise: string): void {
  if (!condition) throw new CommandError(otherwise);
}

/** @throws {CommandError} when the work succeeds, or fails in another way */
async function expectRefusal(codeOrStatus: string | number, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ApiError && (error.code === codeOrStatus || error.status === codeOrStatus)) return;
    throw error;
  }
  throw new CommandError(`was not refused with ${codeOrStatus}`);
}

function told(error: unknown): string {
  if (error instanceof ApiError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
