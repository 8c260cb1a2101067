import { mkdir } from "node:fs/promises";
import type { Clock } from "../clock.ts";
import type { Config } from "../config/config.ts";
import type { BlobStore } from "./blob-store.ts";
import { openFsBlobStore } from "./fs-blob-store.ts";

/** The blob store that the configuration names. */
export async function openBlobStore(config: Config["blobs"], clock: Clock): Promise<BlobStore> {
  if (config.kind === "fs") {
    await mkdir(config.folder, { recursive: true });
    return openFsBlobStore(config.folder, clock);
  }
  // Loaded on demand: the SDK takes a fifth of a second to load and 30 MB.
  const { openS3BlobStore } = await import("./s3-blob-store.ts");
  return openS3BlobStore(config);
}
