import { createHash, randomUUID } from "node:crypto";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import { hashFile } from "@swath/base/hash-file";
import type { Trx } from "../../platform/context.ts";
import type { StorageWatch } from "../../platform/storage/storage-watch.ts";
import type { WorkFolders } from "../../platform/uploads/work-folders.ts";
import type { ImageryService } from "../imagery/service.ts";
import { groupKey, ownerKey } from "../imagery/visibility.ts";
import { buildScene } from "./build-scene.ts";
import type { UploadReader } from "./ingest-pipeline.ts";
import { storeBands } from "./store-bands.ts";

/** A file that somebody ordered for a group. */
export interface DeliveredFile {
  /** Equal for equal deliveries: the scene has the same identifier whenever it is ingested. */
  readonly deliveryKey: string;
  readonly provider: string;
  readonly dataset: string;
  /** Who ordered. The scene belongs to the group, or to the user where there is none. */
  readonly orderedBy: { readonly userId: string; readonly groupId: string };
  /** With the suffix `.geotiff` or `.zip`. */
  readonly name: string;
  /** Metadata as in `scene.json`; null where the file states them. */
  readonly document: Readonly<Record<string, unknown>> | null;
  write(folder: string, signal: AbortSignal): Promise<void>;
}

/** A delivery whose pixels are in the store, and which nobody sees before its registration. */
export interface PreparedDelivery {
  readonly sceneId: string;
  readonly footprint: MultiPolygon;
  /** Makes the scene known in a transaction of the caller. */
  register(this: void, trx: Trx): Promise<void>;
  /** Removes the pixels of a delivery that is not registered. */
  discard(this: void): Promise<void>;
}

export interface DeliveryDeps {
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly folders: WorkFolders;
  readonly imagery: Pick<ImageryService, "register">;
  readonly readUpload: UploadReader;
  readonly storage: Pick<StorageWatch, "require">;
}

const SUFFIXES = [".geotiff", ".zip"] as const;
const ID_CHARACTERS = 32;

/**
 * Fetches a delivery and moves its pixels into the store, for the group that ordered it alone.
 *
 * @throws {ServiceError} SERVICE-UNAVAILABLE while the storage is full; what the fetch throws
 * @throws {RasterError} that says what is wrong with the file
 */
export async function prepareDelivery(
  deps: DeliveryDeps,
  file: DeliveredFile,
  signal: AbortSignal,
): Promise<PreparedDelivery> {
  await deps.storage.require("files");
  const id = digest(file.deliveryKey);
  const scene = sceneId(file.provider, file.dataset, id);
  // Of this run: another process may ingest the same delivery at the same time.
  const run = randomUUID().replaceAll("-", "");
  const folder = await deps.folders.create(run, 1);
  const prefix = `scenes/${scene}/${run}-1/`;
  try {
    using guard = deps.folders.guard(folder, signal);
    const stored = await storeFile(deps, file, { scene, folder, prefix, signal: guard.signal });
    await guard.check();
    const owner = file.orderedBy.groupId === "" ? ownerKey(file.orderedBy) : groupKey(file.orderedBy.groupId);
    return {
      sceneId: scene,
      footprint: stored.scene.footprint,
      register: (trx) => deps.imagery.register(trx, { ...stored, rights: { owner, audience: owner } }),
      discard: () => deletePrefix(deps.blobs, prefix),
    };
  } catch (error) {
    await deletePrefix(deps.blobs, prefix);
    throw error;
  } finally {
    await deps.folders.remove(folder);
  }
}

async function storeFile(
  { blobs, clock, readUpload }: DeliveryDeps,
  file: DeliveredFile,
  run: { readonly scene: string; readonly folder: string; readonly prefix: string; readonly signal: AbortSignal },
) {
  const { folder, prefix, scene, signal } = run;
  const { provider, dataset, name, document } = file;
  const suffix = SUFFIXES.find((one) => name.endsWith(one));
  if (suffix === undefined || /[/\\]/u.test(name)) {
    throw new ServiceError(
      "SCENE-UNREADABLE",
      `the delivery "${name}" must be a file with the suffix .geotiff or .zip`,
    );
  }
  await file.write(folder, signal);
  const path = `${folder}/${name}`;
  const bytesHash = await hashFile(path, signal);
  const job = { path, name, suffix, document, ingestedAtMs: clock.now().getTime(), folder };
  const draft = await readUpload(job, signal, () => {});
  const keys = await storeBands(blobs, draft, prefix, signal);
  // Groups that order the same picture have a scene each.
  const contentHash = createHash("sha256").update(`${file.deliveryKey}\n${bytesHash}`).digest("hex");
  return buildScene(draft, { sceneId: scene, provider, dataset, contentHash }, keys);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, ID_CHARACTERS);
}

async function deletePrefix(blobs: BlobStore, prefix: string): Promise<void> {
  for await (const { key } of blobs.list(prefix)) await blobs.delete(key);
}
