import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CommandError } from "./exit-code.ts";

/**
 * Downloads a file by its signed address. A download that fails leaves no file.
 *
 * @param out the file, or a folder, where the file gets the name of the address
 * @returns the path of the file
 */
export async function downloadFile(url: string, out: string, signal: AbortSignal): Promise<string> {
  const isFolder = out.endsWith("/") || (await stat(out).catch(() => null))?.isDirectory() === true;
  const path = isFolder ? join(out, basename(new URL(url).pathname)) : out;
  await mkdir(dirname(path), { recursive: true });
  const answer = await fetch(url, { signal });
  if (!answer.ok || answer.body === null) throw new CommandError(`the download answered ${answer.status}: ${url}`);
  const partial = `${path}.part`;
  try {
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(partial), { signal });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return path;
}
