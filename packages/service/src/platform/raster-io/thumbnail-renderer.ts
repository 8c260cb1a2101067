import { mbr } from "@swath/kernel/geometry/mbr";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import sharp from "sharp";
import { ServiceError } from "../../errors.ts";
import { imagery } from "../../map-types/imagery/map-type.ts";
import type { GridRenderer } from "./grid-renderer.ts";

const LONGEST_SIDE_PX = 512;
const JPEG_QUALITY = 82;
const PATIENCE_MS = 30_000;

/** Draws thumbnails of stored scenes with the renderer of grid files. */
export function createThumbnailRenderer(renderer: Pick<GridRenderer, "render">): {
  render(scene: StoredScene, mediaType: "image/jpeg" | "image/png" | "image/webp"): Promise<Uint8Array>;
} {
  return {
    async render({ scene, raster }, mediaType) {
      const file = await renderer.render(
        {
          mapType: imagery.id,
          version: imagery.version,
          rendering: imagery.rendering,
          mapId: scene.sceneId,
          scene,
          raster,
          window: { kind: "bounds", bounds: mbr(scene.footprint), maxSizePx: LONGEST_SIDE_PX },
          clip: null,
          fileName: mediaType === "image/webp" ? "truecolor.webp" : "truecolor.png",
          percentileStretch: true,
          userThreshold: null,
          forceDownload: true,
        },
        AbortSignal.timeout(PATIENCE_MS),
      );
      if (file.kind !== "file") {
        throw new ServiceError("DATA-NOT-AVAILABLE", `scene ${scene.sceneId} has no valid pixel to draw`);
      }
      if (mediaType !== "image/jpeg") return file.body;
      // JPEG has no transparency: invalid pixels become white.
      return sharp(file.body).flatten({ background: "white" }).jpeg({ quality: JPEG_QUALITY }).toBuffer();
    },
  };
}
