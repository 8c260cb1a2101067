import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GridFile, GridRenderer } from "@swath/maps/render/grid-renderer";
import { drawFile } from "./draw-file.ts";
import type { PlannedExport } from "./planned-export.ts";

/** A picture, a list of features or a zip is in memory until it is in the store. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;

/** Passes files on as long as they fit into one together. @throws {ServiceError} IMAGE-TOO-LARGE */
export function byteBudget(): (file: GridFile) => GridFile {
  let total = 0;
  return (file) => {
    total += file.kind === "file" ? file.body.byteLength : 0;
    if (total <= MAX_FILE_BYTES) return file;
    throw new ServiceError(
      "IMAGE-TOO-LARGE",
      `the file has more than ${MAX_FILE_BYTES} bytes: export it at a lower zoom or in parts`,
    );
  };
}

/** The file for the whole area; null without a valid pixel. @throws {ServiceError} IMAGE-TOO-LARGE */
export async function drawPicture(
  renderer: Pick<GridRenderer, "render">,
  { loaded, fileName, pixels }: PlannedExport,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const file = byteBudget()(await drawFile(renderer, loaded, fileName, pixels, signal));
  return file.kind === "file" ? file.body : null;
}
