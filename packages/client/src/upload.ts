import { ApiError, readApiError } from "./api-error.ts";
import type { Post } from "./run-pipeline.ts";
import type { Fetch, RetryOptions } from "./transport.ts";
import { wait } from "./wait.ts";

/** Bytes to upload: a Blob or File, an array, or anything that can read pieces of itself. */
export type UploadSource =
  | Blob
  | Uint8Array
  | {
      readonly size: number;
      /** The bytes `[start, end)`. */
      read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
    };

export interface UploadOptions {
  /** `[a-z0-9_-]+`, without suffix. */
  readonly filename: string;
  readonly uploadSuffix: ".geotiff" | ".zip";
  /** Default `local`. */
  readonly provider?: string;
  readonly signal?: AbortSignal;
  /** Called after each piece, and once more when the scene is ingested. */
  readonly onProgress?: (progress: {
    readonly sentBytes: number;
    readonly totalBytes: number;
    readonly phase: "uploading" | "ingesting" | "done";
  }) => void;
  /** Bytes sent at once; default 16 MiB. */
  readonly pieceBytes?: number;
}

export interface UploadResult {
  readonly filepath: string;
  readonly ingestedScenes: readonly { readonly duplicate: boolean; readonly sceneId: string }[];
}

const DEFAULT_PIECE_BYTES = 16 * 1024 * 1024;

/** Asks for an upload address, sends the bytes in pieces that are repeated when they fail, and ingests the file. */
export async function uploadScene(
  service: { readonly post: Post; readonly fetch: Fetch; readonly retry: RetryOptions; readonly baseUrl: string },
  source: UploadSource,
  options: UploadOptions,
): Promise<UploadResult> {
  const { signal, onProgress } = options;
  const size = source instanceof Uint8Array ? source.byteLength : source.size;
  const { filename, uploadSuffix } = options;
  const place = readPlace(
    await service.post("/imagery/ingest-scene/upload", { filename, uploadSuffix, size }, signal),
    service.baseUrl,
  );
  const pieceBytes = options.pieceBytes ?? DEFAULT_PIECE_BYTES;
  for (let start = 0; start < size; start += pieceBytes) {
    const end = Math.min(size, start + pieceBytes);
    const piece = await readPiece(source, start, end);
    await putPiece(service, place.url, piece, { start, end, size }, signal);
    onProgress?.({ sentBytes: end, totalBytes: size, phase: "uploading" });
  }
  onProgress?.({ sentBytes: size, totalBytes: size, phase: "ingesting" });
  const ingest = { provider: options.provider ?? "local", filepath: place.filepath };
  const ingestedScenes = readScenes(await service.post("/imagery/ingest-scene", ingest, signal));
  onProgress?.({ sentBytes: size, totalBytes: size, phase: "done" });
  return { filepath: place.filepath, ingestedScenes };
}

async function putPiece(
  service: { readonly fetch: Fetch; readonly retry: RetryOptions },
  url: string,
  piece: Blob,
  range: { readonly start: number; readonly end: number; readonly size: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { start, end, size } = range;
  const whole = start === 0 && end === size;
  const headers: Record<string, string> = { "content-type": "application/octet-stream" };
  if (!whole) headers["content-range"] = `bytes ${start}-${end - 1}/${size}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const init = { method: "PUT", headers, body: piece, ...(signal === undefined ? {} : { signal }) };
      const answer = await service.fetch(url, init);
      // 308: taken, and more is expected.
      if (answer.status < 300 || answer.status === 308) return;
      throw await readApiError(answer);
    } catch (error) {
      signal?.throwIfAborted();
      // The same bytes at the same place may be sent again: after a broken connection as after a busy service.
      const final = error instanceof ApiError && error.status !== 429 && error.status < 500;
      if (final || attempt >= service.retry.maxAttempts) throw error;
      await wait(500 * 2 ** (attempt - 1), signal);
    }
  }
}

async function readPiece(source: UploadSource, start: number, end: number): Promise<Blob> {
  if (source instanceof Blob) return source.slice(start, end);
  if (source instanceof Uint8Array) return new Blob([Uint8Array.from(source.subarray(start, end))]);
  return new Blob([await source.read(start, end)]);
}

function readPlace(answer: unknown, baseUrl: string): { filepath: string; url: string } {
  if (typeof answer === "object" && answer !== null && "filepath" in answer && "url" in answer) {
    const { filepath, url } = answer;
    if (typeof filepath === "string" && typeof url === "string") return { filepath, url: new URL(url, baseUrl).href };
  }
  throw new TypeError("the upload request was answered without filepath and url");
}

function readScenes(answer: unknown): UploadResult["ingestedScenes"] {
  if (typeof answer === "object" && answer !== null && "ingestedScenes" in answer) {
    if (Array.isArray(answer.ingestedScenes)) return answer.ingestedScenes;
  }
  throw new TypeError("ingesting was answered without ingestedScenes");
}
