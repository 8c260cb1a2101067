import { ServiceError } from "@swath/kernel/errors/service-error";
import { fitPicture } from "@swath/raster/remote/fit-picture";
import { displayUrl } from "@swath/raster/remote/host-rules";
import { readStacAssets, type StacAsset } from "@swath/raster/scene-metadata/stac-item";
import type { SceneSource } from "@swath/raster/source/scene-source";
import { resolveHref } from "./item-address.ts";
import { pictureOfItem } from "./item-picture.ts";
import type { CatalogueItem } from "./item-scene.ts";
import type { OpenItemDeps } from "./open-item.ts";
import type { ItemFiles } from "./item-files.ts";

type Thumbnail = Awaited<ReturnType<SceneSource["thumbnail"]>>;

const MAX_PICTURE_BYTES = 16 * 1024 * 1024;
const THUMBNAIL_PX = 512;

/** The first picture asset of an item that can be read, else a picture of its files. */
export async function thumbnailOfItem(
  catalogue: ItemFiles,
  item: CatalogueItem,
  files: OpenItemDeps,
  signal: AbortSignal,
): Promise<Thumbnail> {
  for (const asset of picturesOf(item)) {
    try {
      const fitted = await assetPicture(catalogue, item, asset, signal);
      if (fitted !== null) return fitted;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "SCENE-UNREADABLE") throw error;
      const { log, name } = catalogue;
      log.debug({ catalogue: name, scene: item.scene.sceneId, reason: error.message }, "picture left out");
    }
  }
  return drawnPicture(catalogue, item, files, signal);
}

async function assetPicture(
  catalogue: ItemFiles,
  item: CatalogueItem,
  asset: StacAsset,
  signal: AbortSignal,
): Promise<Thumbnail> {
  const url = resolveHref(catalogue, item, asset.href);
  if (url === null || !catalogue.rules.allows(url)) return null;
  const answer = await catalogue.client.send({ url, maxBytes: MAX_PICTURE_BYTES }, signal);
  if (answer.status !== 200 || answer.body === null) return null;
  return fitPicture(answer.body, THUMBNAIL_PX, displayUrl(url));
}

/** A picture from the files themselves; null when they cannot be drawn. */
async function drawnPicture(
  { log, name }: ItemFiles,
  item: CatalogueItem,
  files: OpenItemDeps,
  signal: AbortSignal,
): Promise<Thumbnail> {
  try {
    return await pictureOfItem(item, THUMBNAIL_PX, files, signal);
  } catch (error) {
    const isImpossible =
      error instanceof ServiceError && (error.code === "UNSUPPORTED-IMAGERY" || error.code === "SCENE-UNREADABLE");
    if (!isImpossible) throw error;
    log.debug({ catalogue: name, scene: item.scene.sceneId, reason: error.message }, "no picture");
    return null;
  }
}

/** Small pictures first, then larger ones. */
function picturesOf({ item }: CatalogueItem): readonly StacAsset[] {
  const pictures = readStacAssets(item).filter(
    ({ mediaType, href }) =>
      /image\/(?:png|jpe?g|webp)/.test(mediaType) || /\.(?:png|jpe?g|webp)(?:[?#]|$)/i.test(href),
  );
  return pictures.filter((asset) => rankOf(asset) < 3).toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ roles, key }: StacAsset): number {
  if (roles.includes("thumbnail") || key === "thumbnail") return 0;
  if (roles.includes("overview") || key === "overview") return 1;
  return /preview|browse|quicklook/i.test(key) ? 2 : 3;
}
