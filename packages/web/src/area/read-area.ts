import { formatBytes } from "../format/bytes.ts";
import { readVectors } from "../map/read-vectors.ts";
import { AreaFileError } from "./area-file-error.ts";
import { areaFileKind, areaTextKind, type AreaFileKind } from "./area-file-kind.ts";
import { areaOfGeometries, type FileArea } from "./area-of-geometries.ts";
import { areaText } from "./area-text.ts";
import { readArchive } from "./read-archive.ts";

/** The most bytes of a file, as it is and unpacked. */
export const MAX_FILE_BYTES = 10_000_000;

/** Reads the area of a file. @throws {AreaFileError} for a file that is none */
export async function readAreaFile(file: File): Promise<FileArea> {
  if (file.size > MAX_FILE_BYTES) {
    throw new AreaFileError(areaText.tooLarge(formatBytes(file.size), formatBytes(MAX_FILE_BYTES)));
  }
  const kind = areaFileKind(file.name) ?? (/\.zip$/i.test(file.name) ? "archive" : null);
  if (kind === null) throw new AreaFileError(areaText.unreadable(file.name, areaText.unknownKind));
  return await named(file.name, async () =>
    kind === "archive"
      ? areaOfGeometries(await readArchive(new Uint8Array(await file.arrayBuffer()), MAX_FILE_BYTES))
      : areaOfGeometries(readText(kind, await file.text())),
  );
}

/** Reads the area of a pasted text. @throws {AreaFileError} for a text that is none */
export async function readAreaText(pasted: string): Promise<FileArea> {
  if (pasted.length > MAX_FILE_BYTES) {
    throw new AreaFileError(areaText.tooLarge(formatBytes(pasted.length), formatBytes(MAX_FILE_BYTES)));
  }
  const kind = areaTextKind(pasted);
  if (kind === null) throw new AreaFileError(areaText.notText);
  return await named(kind.toUpperCase(), async () => areaOfGeometries(readText(kind, pasted)));
}

/** GeoJSON objects of a text. */
export function readText(kind: Exclude<AreaFileKind, "archive">, content: string): readonly unknown[] {
  return kind === "geojson" ? [JSON.parse(content)] : readVectors(kind, content);
}

/** Libraries throw errors of all kinds about hostile bytes. */
async function named(name: string, read: () => Promise<FileArea>): Promise<FileArea> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AreaFileError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AreaFileError(areaText.unreadable(name, reason), { cause: error });
  }
}
