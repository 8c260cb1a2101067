import type { Rendering } from "@swath/kernel/raster-mathematics/rendering";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GridRenderer } from "./grid-renderer.ts";

export type ThumbnailMediaType = "image/png" | "image/jpeg" | "image/webp";

/** Draws small pictures of whole scenes. */
export interface ThumbnailRenderer {
  /** @throws {ServiceError} DATA-NOT-AVAILABLE when the scene has no valid pixel */
  render(scene: StoredScene, mediaType: ThumbnailMediaType, signal?: AbortSignal): Promise<Uint8Array>;
}

const LONGEST_SIDE_PX = 512;
const PATIENCE_MS = 30_000;

const RENDERING: Rendering = {
  kind: "composite",
  algorithm: "composite",
  products: { "image/png": "visual-png", "image/jpeg": "visual-jpeg", "image/webp": "visual-webp" },
};

/** Thumbnails drawn by the threads of a grid renderer: longest side 512 pixels, between the scene's percentiles. */
export function createThumbnailRenderer(renderer: Pick<GridRenderer, "render">): ThumbnailRenderer {
  return {
    async render({ scene, raster }, mediaType, signal = AbortSignal.timeout(PATIENCE_MS)) {
      const file = await renderer.render(
        {
          mapType: "thumbnail",
          version: 1,
          rendering: RENDERING,
          mapId: scene.sceneId,
          scene,
          raster,
          window: { kind: "scene", maxSizePx: LONGEST_SIDE_PX },
          clip: null,
          fileName: mediaType,
          percentileStretch: true,
          userThreshold: null,
          forceDownload: false,
        },
        signal,
      );
      if (file.kind !== "file") {
        throw new ServiceError("DATA-NOT-AVAILABLE", `scene ${scene.sceneId} has no valid pixel to draw`);
      }
      return file.body;
    },
  };
}
