import type { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { addEntry, type ZipEntry } from "./zip.ts";

/**
 * Writes files into a ZIP as they come.
 *
 * @param write takes the bytes of the archive in order
 */
export async function writeZip(
  entries: AsyncIterable<ZipEntry>,
  write: (bytes: Uint8Array) => Promise<unknown>,
): Promise<void> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const written = writeAll(output, write);
  // Handled below; until then Node must not count it as unhandled.
  written.catch(() => {});
  try {
    for await (const entry of entries) addEntry(zip, entry);
  } catch (error) {
    output.destroy();
    throw error;
  }
  zip.end();
  await written;
}

async function writeAll(output: Readable, write: (bytes: Uint8Array) => Promise<unknown>): Promise<void> {
  for await (const bytes of output) await write(bytes as Uint8Array);
}
