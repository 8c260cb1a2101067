import { ServiceError } from "@swath/kernel/errors/service-error";
import type { StacDatasetConfig } from "./config.ts";
import { type ItemAddress, itemDigest, itemOfSceneId } from "./item-id.ts";
import { type CatalogueItem, sceneOfItem } from "./item-scene.ts";
import { intervalText } from "./search-items.ts";
import { keepItem, type StacCatalogue } from "./stac-catalogue.ts";

/** Addresses in items may be signed and end. */
const KEPT_MS = 600_000;
const DIGEST_PAGES = 20;

/** The item of a scene, from the catalogue. Null when there is none. */
export async function findItem(
  catalogue: StacCatalogue,
  sceneId: string,
  signal: AbortSignal,
): Promise<CatalogueItem | null> {
  for (const dataset of catalogue.config.datasets) {
    const address = itemOfSceneId(dataset, sceneId);
    if (address === null) continue;
    return address.kind === "id"
      ? findById(catalogue, dataset, address, sceneId, signal)
      : findByDigest(catalogue, dataset, address, signal);
  }
  return null;
}

/**
 * The item of a scene, kept from a search of the last minutes or read again.
 *
 * @throws {ServiceError} NON-EXISTING-SCENE
 */
export async function requireItem(
  catalogue: StacCatalogue,
  sceneId: string,
  signal: AbortSignal,
): Promise<CatalogueItem> {
  const known = catalogue.kept.get(sceneId);
  if (known !== undefined && catalogue.clock.now().getTime() - known.atMs <= KEPT_MS) return known.item;
  const item = await findItem(catalogue, sceneId, signal);
  if (item === null) throw new ServiceError("NON-EXISTING-SCENE", `${catalogue.name} has no scene ${sceneId}`);
  return item;
}

async function findById(
  catalogue: StacCatalogue,
  dataset: StacDatasetConfig,
  { collection, id }: Extract<ItemAddress, { kind: "id" }>,
  sceneId: string,
  signal: AbortSignal,
): Promise<CatalogueItem | null> {
  const json = await catalogue.api.item(collection, id, signal);
  const item = json === null ? null : await sceneOfItem(json, dataset);
  if (item === null || typeof item === "string" || item.scene.sceneId !== sceneId) return null;
  return keepItem(catalogue, item);
}

async function findByDigest(
  catalogue: StacCatalogue,
  dataset: StacDatasetConfig,
  { acquiredAtMs, digest }: Extract<ItemAddress, { kind: "digest" }>,
  signal: AbortSignal,
): Promise<CatalogueItem | null> {
  let pages = 0;
  const datetime = intervalText(acquiredAtMs, acquiredAtMs);
  const request = { collections: dataset.collections, datetime, newestFirst: false, limit: 100 };
  for await (const page of catalogue.api.pages(request, signal)) {
    for (const json of page.items) {
      const item = await sceneOfItem(json, dataset);
      if (typeof item !== "string" && itemDigest(item.collection, item.itemId) === digest) {
        return keepItem(catalogue, item);
      }
    }
    pages += 1;
    if (pages >= DIGEST_PAGES) break;
  }
  return null;
}
