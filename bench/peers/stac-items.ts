import { boundsOf } from "@swath/kernel/credits/coverage";
import type { SceneRecord } from "../../packages/service/src/features/imagery/scene-record.ts";
import type { DatasetName } from "../generated-scenes.ts";

/** A STAC identifier of a dataset: the peer refuses slashes and other marks. */
export function peerCollectionId({ provider, dataset }: DatasetName): string {
  return `${provider}-${dataset}`.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}

/** A time of RFC 3339, as STAC has it. */
export const isoInstant = (timeMs: number): string => new Date(timeMs).toISOString();

export function stacCollection(name: DatasetName): unknown {
  return {
    type: "Collection",
    id: peerCollectionId(name),
    stac_version: "1.0.0",
    description: name.dataset,
    license: "proprietary",
    links: [],
    extent: {
      spatial: { bbox: [[-180, -90, 180, 90]] },
      temporal: { interval: [["2015-01-01T00:00:00Z", null]] },
    },
  };
}

/** The members of a scene as a STAC item: the same identifier, footprint, time, cloud cover and bands. */
export function stacItem({ scene }: SceneRecord): unknown {
  return {
    type: "Feature",
    stac_version: "1.0.0",
    id: scene.sceneId,
    collection: peerCollectionId(scene),
    geometry: scene.footprint,
    bbox: boundsOf(scene.footprint.coordinates),
    links: [],
    assets: {},
    properties: {
      datetime: isoInstant(Date.parse(`${scene.datetime}Z`)),
      platform: scene.satellite,
      "proj:epsg": scene.crsEpsg,
      "eo:cloud_cover": (scene.cloudCover ?? 0) * 100,
      foreign_id: scene.foreignId,
      area_km2: scene.areaKm2,
      bands: scene.bands,
    },
  };
}
