import { encodePng } from "@swath/raster/encode/image";
import type { BlobPaths, RenderEngine } from "../render/render-engine.ts";
import { exportGeoTiff, finestPlane } from "./export-geotiff.ts";
import type { ExportedImage, ExportJob } from "./export-job.ts";
import { exportPicture } from "./export-picture.ts";
import { makePlanes, readWindows } from "./export-planes.ts";
import { exportSki } from "./export-ski.ts";

/**
 * Makes the files of an image in the calling thread.
 *
 * @throws {ServiceError} SCENE-UNREADABLE, DATA-NOT-AVAILABLE
 */
export async function exportImage(
  engine: RenderEngine,
  job: ExportJob,
  paths: BlobPaths,
  signal: AbortSignal,
): Promise<ExportedImage> {
  const windows = await engine.draw((access) => readWindows(access, job), paths, signal);
  const planes = makePlanes(job, windows);
  const picture = await engine.draw((access) => exportPicture(access, job, finestPlane(planes)), paths, signal);
  const png = await encodePng(picture);
  signal.throwIfAborted();
  const geotiff = await exportGeoTiff(job, planes);
  signal.throwIfAborted();
  return { ski: await exportSki(job, planes), geotiff, png };
}
