import { mkdir } from "node:fs/promises";
import type { Clock } from "../clock.ts";
import type { BlobStore } from "./blob-store.ts";
import { openFsBlobStore } from "./fs-blob-store.ts";

/** Where blobs are kept: a folder or a bucket. */
export type BlobSettings =
  | { readonly kind: "fs"; readonly folder: string }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      readonly keyPrefix: string;
      readonly region: string;
      readonly endpoint: string | null;
      readonly pathStyle: boolean;
      readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
    };

/** The blob store that the settings name. */
export async function openBlobStore(config: BlobSettings, clock: Clock): Promise<BlobStore> {
  if (config.kind === "fs") {
    await mkdir(config.folder, { recursive: true });
    return openFsBlobStore(config.folder, clock);
  }
  // Loaded on demand: the SDK takes a fifth of a second to load and 30 MB.
  const { openS3BlobStore } = await import("./s3-blob-store.ts");
  return openS3BlobStore(config);
}
