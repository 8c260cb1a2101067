import { zipOf } from "@swath/raster/archive/zip";

/** A ZIP archive of files of which some are still being compressed. */
export async function zipWhenMade(
  entries: readonly { readonly name: string; readonly body: Uint8Array | Promise<Uint8Array> }[],
): Promise<Uint8Array> {
  return await zipOf(await Promise.all(entries.map(async ({ name, body }) => ({ name, body: await body }))));
}
