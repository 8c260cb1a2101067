import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@swath/client";
import type { AreaGeometry } from "@swath/kernel/geometry/geojson";
import { extentBounds } from "./bounds.ts";
import { CLASSES_PICTURE, defaultPicture } from "./default-picture.ts";
import { downloadPicture } from "./download-picture.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import type { Output } from "./output.ts";
import { chooseZoom, type TileIndex } from "./tile-plan.ts";

const OBJECTS_FILE = "detections.geojson";

/** A line of the closing table. */
export interface Step {
  readonly name: string;
  readonly what: string;
  readonly seconds: number;
}

/** A result and what to say of it; with the time it took where that is not the time waited for it. */
export type Done<Result> = readonly [result: Result, what: string, elapsedMs?: number];

/** Does one thing and remembers what it was and how long it took. */
export type DoStep = <Result>(name: string, work: () => Promise<Done<Result>>) => Promise<Result>;

/** A demonstration in steps that are told as they begin and listed at the end. */
export function createSteps(
  output: Output,
  signal: AbortSignal,
): { readonly steps: readonly Step[]; readonly step: DoStep } {
  const steps: Step[] = [];
  return {
    steps,
    async step(name, work) {
      signal.throwIfAborted();
      const startedMs = performance.now();
      output.note(`${name} …`);
      const [result, what, elapsedMs] = await work();
      steps.push({ name, what, seconds: (elapsedMs ?? performance.now() - startedMs) / 1000 });
      return result;
    },
  };
}

export interface Payment {
  readonly cost: number;
  readonly km2: number;
  readonly remainingCredit: number;
}

/** Asks for the price, pays, and checks that exactly that was charged. @throws {CommandError} when it was not */
export async function payForArea(
  client: Client,
  sceneId: string,
  geojson: AreaGeometry,
  signal: AbortSignal,
): Promise<Done<Payment>> {
  const area = { sceneIds: [sceneId], geojson };
  const before = await client.call("/credits/get-remaining-credit", {}, { signal });
  const quote = await client.call("/credits/area/check-geojson", area, { signal });
  const paid = await client.call("/credits/area/allocate-geojson", area, { signal });
  const after = await client.call("/credits/get-remaining-credit", {}, { signal });
  const spent = before.remainingCredit - after.remainingCredit;
  if (Math.abs(paid.cost - quote.cost) > 1e-6 || Math.abs(spent - paid.cost) > 1e-6) {
    throw new CommandError(`quoted ${quote.cost} credits, charged ${paid.cost}, missing ${spent}`, EXIT.credit);
  }
  return [
    { cost: paid.cost, km2: paid.km2, remainingCredit: after.remainingCredit },
    `${paid.km2.toFixed(2)} km2 for ${formatCredit(paid.cost)} credits, ${formatCredit(after.remainingCredit)} left`,
  ];
}

interface ReleasedMap {
  readonly mapId: string;
  readonly mapType: string;
  readonly maxZoom: number;
  readonly sceneId: string;
  readonly tiles: readonly TileIndex[];
}

export interface Released {
  readonly maps: readonly ReleasedMap[];
  readonly failed: readonly { readonly mapType: string; readonly errorCode: string; readonly errorMessage: string }[];
}

/** Makes maps of a scene. */
export async function releaseMaps(
  client: Client,
  request: { readonly mapTypes: readonly string[]; readonly sceneId: string; readonly extent: AreaGeometry },
  output: Output,
  signal: AbortSignal,
): Promise<Done<Released>> {
  const progress = output.progress("release", 6);
  const result = await client
    .run(
      "/mapsvc/release",
      { mapTypes: [...request.mapTypes], sceneIds: [request.sceneId], extent: request.extent },
      { signal, onProgress: (status) => progress.update(status.progress?.step ?? 0, status.progress?.message) },
    )
    .finally(() => progress.stop());
  const parts = [
    ...result.maps.map((map) => `${map.mapType} to zoom ${map.maxZoom}`),
    ...result.failed.map((map) => `${map.mapType} failed: ${map.errorCode}`),
  ];
  return [result, parts.join(", ")];
}

export interface SavedPicture {
  readonly path: string;
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * Writes a picture of each map, all of one zoom so that they lie on each other; none of a map of classes that has none.
 */
export async function savePictures(
  client: Client,
  maps: readonly ReleasedMap[],
  extent: AreaGeometry,
  to: { readonly folder: string; readonly fileOf: (mapType: string) => string; readonly percentileStretch: boolean },
  step: DoStep,
  output: Output,
  signal: AbortSignal,
): Promise<readonly SavedPicture[]> {
  const pictures: SavedPicture[] = [];
  await mkdir(to.folder, { recursive: true });
  const bounds = extentBounds(extent);
  const deepest = Math.min(...maps.map((map) => map.maxZoom));
  for (const map of maps) {
    const picture = await step(map.mapType === "imagery" ? "picture" : map.mapType, async () => {
      const zoom = chooseZoom(map.tiles, deepest, bounds);
      const { percentileStretch } = to;
      const fileName = await defaultPicture(client, map.mapId, map.mapType);
      const wanted = { ...map, zoom, bounds, fileName, percentileStretch, tileFolder: null };
      const made = await downloadPicture(client, wanted, output, signal).catch((error: unknown) => {
        const isEmpty = error instanceof CommandError && error.exitCode === EXIT.notFound;
        if (isEmpty && fileName === CLASSES_PICTURE) return null;
        throw error;
      });
      if (made === null) return [null, "nothing was found, so nothing is drawn"] as const;
      const path = join(to.folder, to.fileOf(map.mapType));
      await writeFile(path, made.png);
      return [
        { path, widthPx: made.widthPx, heightPx: made.heightPx },
        `${path}, ${made.widthPx} x ${made.heightPx} px from ${made.tiles} tiles of zoom ${zoom}`,
      ] as const;
    });
    if (picture !== null) pictures.push(picture);
  }
  return pictures;
}

export interface SavedObjects {
  readonly path: string;
  readonly count: number;
}

/** Writes the single objects of each map whose type finds such, as GeoJSON. */
export async function saveObjects(
  client: Client,
  maps: readonly ReleasedMap[],
  folder: string,
  step: DoStep,
  signal: AbortSignal,
): Promise<readonly SavedObjects[]> {
  const listed = await client.call("/mapsvc/map-types/list", {}, { signal });
  const filesOf = new Map(listed.map(({ mapType, gridFiles }) => [mapType, gridFiles["geojson"] ?? []]));
  const saved: SavedObjects[] = [];
  for (const { mapId, mapType } of maps) {
    if (filesOf.get(mapType)?.includes(OBJECTS_FILE) !== true) continue;
    const objects = await step(`${mapType} objects`, async () => {
      const params = { map_id: mapId, geometry_id: "-", file_name: OBJECTS_FILE };
      const answer = await client.file("/mapsvc/grid/:map_id/:geometry_id/:file_name", { params, signal });
      const text = await answer.text();
      const found: unknown = JSON.parse(text);
      const isCollection = typeof found === "object" && found !== null && "features" in found;
      const count = isCollection && Array.isArray(found.features) ? found.features.length : 0;
      const path = join(folder, `${mapType}.geojson`);
      await writeFile(path, text);
      return [{ path, count }, `${path}, ${count} objects`] as const;
    });
    saved.push(objects);
  }
  return saved;
}

export function formatCredit(credits: number): string {
  return credits.toFixed(credits !== 0 && Math.abs(credits) < 1 ? 4 : 2);
}
