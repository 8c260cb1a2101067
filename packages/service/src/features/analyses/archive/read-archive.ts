import { ArchiveDocument, MAX_FRAMES } from "@swath/contract/features/analyses/archive-document";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { textStart } from "@swath/kernel/text/text-start";
import { readZipEntry } from "@swath/raster/archive/read-zip-entry";
import { RasterError } from "@swath/raster/raster-error";
import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { parseInSteps } from "../../../platform/json/parse-in-steps.ts";
import { schemaCheck, type SchemaCheck } from "../../../platform/json/schema-check.ts";
import { DOCUMENT_FILE } from "./archive-document.ts";

/** Frames take 8 MiB, the members beside them 1 MiB. */
const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;
/** An export has two files for each of 200 maps, and four others. */
const LIMITS = { maxEntries: 500, maxNameBytes: 256, maxTotalBytes: 512 * 1024 * 1024 };

/** The members beside the frames, and each frame by itself. */
const OUTSIDE = schemaCheck(ArchiveDocument);
const FRAME = schemaCheck(ArchiveDocument.properties.frames.items);

/**
 * The analysis in an exported zip. A large document gives way to others on the event loop.
 *
 * @throws {ServiceError} BAD-REQUEST for a zip that is damaged, hostile or of another kind; VALIDATION-ERROR for
 *   members that no analysis has
 */
export async function readArchive(path: string, signal: AbortSignal): Promise<ArchiveDocument> {
  const bytes = await documentOf(path, signal);
  const value = await parseInSteps(bytes, DOCUMENT_FILE, signal);
  const { format, frames, version } = (value ?? {}) as Record<string, unknown>;
  if (format !== "swath-analysis" || version !== 1) {
    const got = textStart(JSON.stringify([format, version]), 100);
    throw refused(`has the format and version ${got}, expected ["swath-analysis",1]`);
  }
  const isMany = Array.isArray(frames) && frames.length <= MAX_FRAMES;
  accept(OUTSIDE, isMany ? { ...(value as object), frames: [] } : value, "", bytes.length);
  const share = loopShare();
  for (const [index, frame] of (frames as readonly unknown[]).entries()) {
    if (isUsedUp(share)) await giveWay(share, signal);
    accept(FRAME, frame, `/frames/${index}`, bytes.length);
  }
  const archive = value as ArchiveDocument;
  requireDifferent(archive);
  return archive;
}

/** @throws {ServiceError} VALIDATION-ERROR with the first fault */
function accept(check: SchemaCheck, value: unknown, path: string, sizeBytes: number): void {
  if (check.accepts(value)) return;
  const [fault] = check.explain(value, sizeBytes);
  const place = { path: `${path}${fault?.path ?? ""}`, message: fault?.message ?? "is not valid" };
  throw new ServiceError("VALIDATION-ERROR", `${DOCUMENT_FILE}${place.path} ${place.message}`, { details: [place] });
}

async function documentOf(path: string, signal: AbortSignal): Promise<Buffer> {
  try {
    const wanted = { name: "the archive", fileName: DOCUMENT_FILE, maxBytes: MAX_DOCUMENT_BYTES, limits: LIMITS };
    const { buffer, byteLength, byteOffset } = await readZipEntry(path, wanted, signal);
    return Buffer.from(buffer, byteOffset, byteLength);
  } catch (error) {
    if (error instanceof RasterError) throw new ServiceError("BAD-REQUEST", error.message, { cause: error });
    throw error;
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

function refused(message: string): ServiceError {
  return new ServiceError("BAD-REQUEST", `${DOCUMENT_FILE} ${message}`);
}
