import { open } from "node:fs/promises";
import { join } from "node:path";
import { RasterError } from "@swath/raster/raster-error";
import { openHttpSource } from "@swath/raster/remote/http-byte-source";
import type { StapiPeer } from "./stapi-peer.ts";

const PIECE_BYTES = 8 * 1024 * 1024;
const MAX_SCENE_BYTES = 16_000_000_000;

/**
 * Writes a remote file into a folder, piece by piece, so that memory does not grow with it. A file that changes on the
 * way fails.
 *
 * @throws {RasterError} too-large for a file beyond `maxSceneBytes`; errors of `openHttpSource`
 */
export async function downloadFile(
  peer: StapiPeer,
  url: URL,
  folder: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const source = await openHttpSource({ client: peer.client, url, name }, signal);
  const most = peer.settings.maxSceneBytes ?? MAX_SCENE_BYTES;
  if (source.sizeBytes > most) {
    throw new RasterError("too-large", `${name} has ${source.sizeBytes} bytes, expected at most ${most}`);
  }
  await using file = await open(join(folder, name), "w");
  for (let at = 0; at < source.sizeBytes; at += PIECE_BYTES) {
    signal.throwIfAborted();
    const bytes = await source.fetch(at, Math.min(PIECE_BYTES, source.sizeBytes - at), { signal });
    await file.writeFile(bytes);
  }
}
