import { Value } from "typebox/value";
import { ArchiveDocument } from "@swath/contract/features/analyses/archive-document";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { textStart } from "@swath/kernel/text/text-start";
import { readZipEntry } from "@swath/raster/archive/read-zip-entry";
import { RasterError } from "@swath/raster/raster-error";
import { DOCUMENT_FILE } from "./archive-document.ts";

/** Frames take 8 MiB, the members beside them 1 MiB. */
const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;
/** An export has two files for each of 200 maps, and four others. */
const LIMITS = { maxEntries: 500, maxNameBytes: 256, maxTotalBytes: 512 * 1024 * 1024 };

/**
 * The analysis in an exported zip.
 *
 * @throws {ServiceError} BAD-REQUEST for a zip that is damaged, hostile or of another kind; VALIDATION-ERROR for
 *   members that no analysis has
 */
export async function readArchive(path: string, signal: AbortSignal): Promise<ArchiveDocument> {
  const value = parsed(await documentOf(path, signal));
  if (Value.Check(ArchiveDocument, value)) {
    requireDifferent(value);
    return value;
  }
  const { format, version } = (value ?? {}) as { readonly format?: unknown; readonly version?: unknown };
  if (format !== "swath-analysis" || version !== 1) {
    const got = textStart(JSON.stringify([format, version]), 100);
    throw refused(`has the format and version ${got}, expected ["swath-analysis",1]`);
  }
  const [fault] = Value.Errors(ArchiveDocument, value);
  const place = { path: fault?.instancePath ?? "", message: fault?.message ?? "is not valid" };
  throw new ServiceError("VALIDATION-ERROR", `${DOCUMENT_FILE}${place.path} ${place.message}`, { details: [place] });
}

async function documentOf(path: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const wanted = { name: "the archive", fileName: DOCUMENT_FILE, maxBytes: MAX_DOCUMENT_BYTES, limits: LIMITS };
    return await readZipEntry(path, wanted, signal);
  } catch (error) {
    if (error instanceof RasterError) throw new ServiceError("BAD-REQUEST", error.message, { cause: error });
    throw error;
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof TypeError)) throw cause;
    throw refused("is not JSON in UTF-8", cause);
  }
}

function requireDifferent({ frames }: ArchiveDocument): void {
  const seen = new Set<string>();
  for (const [index, { scene }] of frames.entries()) {
    if (seen.has(scene.sceneId)) {
      const place = { path: `/frames/${index}/scene/sceneId`, message: "must be different in each frame" };
      throw new ServiceError("VALIDATION-ERROR", `${DOCUMENT_FILE}${place.path} ${place.message}`, {
        details: [place],
      });
    }
    seen.add(scene.sceneId);
  }
}

function refused(message: string, cause?: unknown): ServiceError {
  return new ServiceError("BAD-REQUEST", `${DOCUMENT_FILE} ${message}`, { cause });
}
