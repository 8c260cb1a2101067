import { ServiceError } from "@swath/kernel/errors/service-error";
import { isGranted } from "@swath/kernel/permissions/permission";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Identity } from "../../platform/identity/identity.ts";
import type { Catalog } from "../../providers/catalog.ts";
import type { CreditsService } from "../credits/service.ts";
import { imagesPermission } from "../imagery/dataset-listing.ts";
import type { ImageryService } from "../imagery/service.ts";
import type { AssetGrant } from "./asset-token.ts";
import { sceneFiles } from "./scene-files.ts";

export interface ReadableSceneDeps {
  readonly blobs: Pick<BlobStore, "head">;
  readonly catalog: Pick<Catalog, "findDataset">;
  readonly credits: Pick<CreditsService, "sceneHoldings">;
  readonly identity: Pick<Identity, "callerOf">;
  readonly imagery: Pick<ImageryService, "owns" | "seenBy">;
}

/** A scene whose files a caller may read at this moment. */
export interface ReadableScene {
  /** Changes with the pixels of the scene. */
  readonly contentHash: string;
  /** Keys of blobs by name. */
  readonly keys: ReadonlyMap<string, string>;
  /** Sizes of blobs that were asked for, by key; null for a blob that is gone. */
  readonly sizes: Map<string, Promise<number | null>>;
}

/**
 * The files of a scene for the caller of an address, by the rights of this moment: those that an export of the scene
 * needs, and the whole scene allocated, free, or uploaded by the group of the caller.
 *
 * @throws {ServiceError} NOT-AUTHORIZED, MFA-REQUIRED, CREDITS-ERROR, NON-EXISTING-SCENE, DATA-NOT-AVAILABLE
 */
export async function readableScene(
  { catalog, credits, identity, imagery }: ReadableSceneDeps,
  { credential, userId }: AssetGrant,
  sceneId: string,
): Promise<ReadableScene> {
  const caller = await identity.callerOf(userId, credential);
  const stored = await imagery.seenBy(caller).stored(sceneId);
  if (stored === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId} in the store`);
  const { contentHash, raster, scene } = stored;
  const registered = catalog.findDataset(scene.provider, scene.dataset);
  const files = registered?.dataset.exportable === true ? sceneFiles(scene, raster) : [];
  if (registered === null || files.length === 0) {
    throw new ServiceError("DATA-NOT-AVAILABLE", `scene ${sceneId} has no files to download: export it`);
  }
  const permission = imagesPermission(registered);
  if (!isGranted(caller.permissions, permission)) {
    throw new ServiceError("NOT-AUTHORIZED", `This needs the permission ${permission}`);
  }
  const [holding] = await credits.sceneHoldings(caller, [scene]);
  if (holding?.heldRatio !== 1 && !(await imagery.owns(caller, sceneId))) {
    throw new ServiceError("CREDITS-ERROR", `scene ${sceneId} is not allocated as a whole: export the allocated part`);
  }
  return { contentHash, keys: new Map(files.map(({ key, name }) => [name, key])), sizes: new Map() };
}

/** Size of a blob of a readable scene, asked once; null when it is gone. */
export async function sizeOf(
  { blobs }: Pick<ReadableSceneDeps, "blobs">,
  { sizes }: ReadableScene,
  key: string,
): Promise<number | null> {
  const known = sizes.get(key);
  if (known !== undefined) return await known;
  const size = blobs.head(key).then((blob) => blob?.sizeBytes ?? null);
  sizes.set(key, size);
  // An outage is no answer.
  size.catch(() => sizes.delete(key));
  return await size;
}
