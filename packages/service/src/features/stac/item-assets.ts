import { COG_TYPE } from "@swath/contract/features/assets/contract";
import { commonNameOf } from "@swath/kernel/bands/common-name";
import { reflectanceScale } from "@swath/kernel/bands/radiometry";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import { sceneFiles, type SceneFile } from "../assets/scene-files.ts";
import type { BrowsedScene } from "../imagery/browse/browse-scenes.ts";
import type { Collection } from "./collections.ts";
import { defined } from "./defined.ts";
import { holdsWhole, type ItemView } from "./item-view.ts";

type Document = Readonly<Record<string, unknown>>;

/** Pictures and, for a reader who holds the whole scene, the COGs of its bands by signed addresses. */
export function itemAssets(found: BrowsedScene, { listing }: Collection, view: ItemView): Document {
  return {
    ...(listing.thumbnail ? { thumbnail: thumbnail(found, view) } : {}),
    ...(listing.exportable && holdsWhole(found, view) ? dataAssets(found, view) : {}),
  };
}

function thumbnail({ ingested, scene }: BrowsedScene, { baseUrl }: ItemView): Document {
  return {
    href: `${baseUrl}/imagery/thumbnail?scene_id=${encodeURIComponent(scene.sceneId)}`,
    // Sources of other scenes send the type that they have.
    ...(ingested ? { type: "image/jpeg" } : {}),
    title: "Thumbnail",
    roles: ["thumbnail"],
  };
}

function dataAssets({ raster, scene }: BrowsedScene, { addressOf }: ItemView): Document {
  if (raster === null || addressOf === null) return {};
  return Object.fromEntries(
    sceneFiles(scene, raster).flatMap((file) => {
      const stored = raster.bands[file.band];
      if (stored === undefined) return [];
      const { sceneId } = scene;
      const common = {
        href: addressOf(sceneId, file.name),
        type: COG_TYPE,
        ...placeOf(stored),
      };
      return [[file.name, file.isMask ? maskAsset(common) : bandAsset(common, scene, stored, file)]];
    }),
  );
}

function placeOf({ geotransform, heightPx, widthPx }: StoredBand): Document {
  return { "proj:shape": [heightPx, widthPx], "proj:transform": [...geotransform] };
}

function maskAsset(common: Document): Document {
  return {
    ...common,
    title: "Mask of valid pixels",
    roles: ["data-mask"],
    bands: [{ name: "mask", data_type: "uint8" }],
  };
}

function bandAsset(common: Document, scene: Scene, stored: StoredBand, { band }: SceneFile): Document {
  const { gsd = 0, names: [title = `Band ${band + 1}`] = [] } = scene.bands[band] ?? {};
  return {
    ...common,
    title,
    roles: stored.quantity === "reflectance" ? ["data", "reflectance"] : ["data"],
    ...(gsd > 0 ? { gsd } : {}),
    bands: [bandDocument(scene, stored, { band, name: title })],
    ...(stored.sizeBytes === undefined ? {} : { "file:size": stored.sizeBytes }),
  };
}

function bandDocument(
  scene: Scene,
  stored: StoredBand,
  { band, name }: { readonly band: number; readonly name: string },
): Document {
  const described = scene.bands[band];
  const scale = described === undefined ? null : reflectanceScale(scene, described, stored);
  const { max: maximum, mean, min: minimum, std: stddev } = stored.statistics;
  return defined({
    name,
    "eo:common_name": stored.role === null ? undefined : (commonNameOf(stored.role) ?? undefined),
    data_type: stored.dataType,
    nodata: stored.nodata ?? undefined,
    statistics: { minimum, maximum, mean, stddev },
    "raster:scale": scale?.mult,
    "raster:offset": scale?.add,
  });
}
