import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@swath/client";
import type { AreaGeometry } from "@swath/kernel/geometry/geojson";
import { extentBounds } from "./bounds.ts";
import { downloadPicture } from "./download-picture.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { pictureFile } from "./map-token.ts";
import type { Output } from "./output.ts";
import { chooseZoom, type TileIndex } from "./tile-plan.ts";

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

/** Writes a picture of each map, all of one zoom so that they lie on each other. */
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
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    const picture = await step(map.mapType === "imagery" ? "picture" : map.mapType, async () => {
      const zoom = chooseZoom(map.tiles, deepest, bounds);
      const { percentileStretch } = to;
      const made = await downloadPicture(
        client,
        { ...map, zoom, bounds, fileName: pictureFile(map.mapType), percentileStretch, tileFolder: null },
        output,
        signal,
      );
      const path = join(to.folder, to.fileOf(map.mapType));
      await writeFile(path, made.png);
      return [
        { path, widthPx: made.widthPx, heightPx: made.heightPx },
        `${path}, ${made.widthPx} x ${made.heightPx} px from ${made.tiles} tiles of zoom ${zoom}`,
      ] as const;
    });
    pictures.push(picture);
  }
  return pictures;
}

export function formatCredit(credits: number): string {
  return credits.toFixed(credits !== 0 && Math.abs(credits) < 1 ? 4 : 2);
}
