import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Catalog } from "../../providers/catalog.ts";
import type { DatasetDescriptor } from "../../providers/provider.ts";
import type { ImageryService } from "../imagery/service.ts";
import type { RequestedImage } from "./requested-image.ts";

export interface ExportableScenes {
  readonly catalog: Pick<Catalog, "findDataset">;
  readonly imagery: Pick<ImageryService, "seenBy">;
}

/** The dataset of a scene. @throws {ServiceError} UNSUPPORTED-IMAGERY when its pixels cannot be exported */
export function exportable(
  { catalog }: Pick<ExportableScenes, "catalog">,
  { provider, dataset }: Scene,
): DatasetDescriptor {
  const descriptor = catalog.findDataset(provider, dataset)?.dataset;
  if (descriptor?.exportable === true) return descriptor;
  throw new ServiceError("UNSUPPORTED-IMAGERY", `pixels of the dataset ${dataset} cannot be exported`);
}

/** The stored scene that already has everything an export needs, or null when pixels must be fetched first. */
export function complete(
  stored: StoredScene | null,
  { tiles }: RequestedImage,
  isAllThereIs: boolean,
): StoredScene | null {
  if (stored === null || stored.raster.tiles === undefined) return stored;
  // Scenes of datasets without store tiles may be there in parts as well; only ingestion knows them.
  if (tiles === null) return isAllThereIs ? stored : null;
  const present = new Set(stored.raster.tiles.map(String));
  return tiles.every((tile) => present.has(String(tile))) ? stored : null;
}

export function unknownScene(sceneId: string): ServiceError {
  return new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
}

export function missingPixels({ sceneId }: Scene): ServiceError {
  return new ServiceError("DATA-NOT-AVAILABLE", `what is asked of scene ${sceneId} is not in the store`);
}
