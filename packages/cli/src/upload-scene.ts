import { basename, extname } from "node:path";
import { openAsBlob } from "node:fs";
import type { Client, UploadResult } from "@swath/client";
import type { Progress } from "./output.ts";
import type { SceneDocument } from "./scene-document.ts";
import { UsageError } from "./exit-code.ts";
import { zipStore } from "./zip-store.ts";

/** A GeoTIFF or zip to ingest and what is known beyond it. */
export interface SceneUpload {
  readonly name: string;
  readonly kind: "geotiff" | "zip";
  readonly content: Blob;
  readonly document: SceneDocument | null;
}

export type IngestedScene = UploadResult["ingestedScenes"][number];

const KINDS: Readonly<Record<string, SceneUpload["kind"]>> = {
  ".tif": "geotiff",
  ".tiff": "geotiff",
  ".geotiff": "geotiff",
  ".gtiff": "geotiff",
  ".zip": "zip",
};

/** @throws {UsageError} when the file is of another kind, or a zip that metadata is given for */
export async function openUpload(file: string, document: SceneDocument | null): Promise<SceneUpload> {
  const kind = KINDS[extname(file).toLowerCase()];
  if (kind === undefined) throw new UsageError(`${file} is neither a GeoTIFF (.tif, .tiff, .geotiff) nor a .zip`);
  if (kind === "zip" && document !== null) {
    throw new UsageError(`${file} is a zip: put scene.json inside it instead of giving metadata`);
  }
  return { name: basename(file, extname(file)), kind, content: await openAsBlob(file), document };
}

/** Uploads in pieces that are repeated when they fail, then ingests. A GeoTIFF with metadata travels as a zip of both. */
export async function uploadScene(
  client: Client,
  upload: SceneUpload,
  options: {
    readonly provider: string;
    readonly dataset?: string;
    /** Whether a file whose time of acquisition nothing states is refused. */
    readonly requireDatetime: boolean;
    readonly progress: (total: number) => Progress;
    readonly signal: AbortSignal;
  },
): Promise<readonly IngestedScene[]> {
  const { document } = upload;
  const content =
    document === null
      ? upload.content
      : await zipStore([
          // The name inside stays as it was: product names tell sensor and time.
          { name: `${upload.name}.tif`, content: upload.content },
          { name: "scene.json", content: new Blob([JSON.stringify(document)]) },
        ]);
  const progress = options.progress(content.size);
  try {
    const { ingestedScenes } = await client.upload(content, {
      filename: safeName(upload.name),
      uploadSuffix: upload.kind === "zip" || document !== null ? ".zip" : ".geotiff",
      provider: options.provider,
      ...(options.dataset === undefined ? {} : { dataset: options.dataset }),
      requireDatetime: options.requireDatetime,
      signal: options.signal,
      onProgress: ({ sentBytes, totalBytes, phase }) =>
        progress.update(
          sentBytes,
          phase === "uploading" ? `${(sentBytes / 1e6).toFixed(1)} of ${(totalBytes / 1e6).toFixed(1)} MB` : phase,
        ),
    });
    return ingestedScenes;
  } finally {
    progress.stop();
  }
}

/** A name that uploads may have: `[a-z0-9_-]+`. */
function safeName(name: string): string {
  const safe = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 64);
  return safe === "" ? "image" : safe;
}
