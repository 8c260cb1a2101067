import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { DownloadBody } from "./downloads.ts";

/** The bytes of a finished file, as long as it exists. */
export async function fileBody(path: string): Promise<DownloadBody> {
  const { size } = await stat(path);
  return { sizeBytes: size, stream: () => createReadStream(path) };
}
