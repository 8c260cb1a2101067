import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { fromBuffer, type Entry, type ZipFile } from "yauzl";

/** Files of an archive by name, read by an independent library. */
export async function unzipped(zip: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const opened = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(Buffer.from(zip), { lazyEntries: true }, (error, file) => {
      if (error === null) resolve(file);
      else reject(error);
    });
  });
  const files = new Map<string, Uint8Array>();
  await new Promise<void>((resolve, reject) => {
    opened.on("error", reject);
    opened.on("end", () => resolve());
    opened.on("entry", (entry: Entry) => {
      opened.openReadStream(entry, (error: Error | null, stream: Readable) => {
        if (error !== null) {
          reject(error);
          return;
        }
        buffer(stream).then((bytes) => {
          files.set(entry.fileName, new Uint8Array(bytes));
          opened.readEntry();
        }, reject);
      });
    });
    opened.readEntry();
  });
  return files;
}
