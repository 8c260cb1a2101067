import type { contract, PipelineTypes } from "@swath/contract";
import { ApiError, readApiError } from "./api-error.ts";
import { runPipeline } from "./run-pipeline.ts";
import type { Post, Progress } from "./run-pipeline.ts";
import type { Fetch, RetryOptions } from "./transport.ts";
import { wait } from "./wait.ts";

/** Scenes of an upload: place, time, bands and sensor as the service understood them, and warnings of the rest. */
type IngestedScenes = PipelineTypes<typeof contract>["/imagery/ingest-scene"]["result"]["ingestedScenes"];

/** Bytes to upload: a Blob or File, an array, or an object that reads ranges. */
export type UploadSource =
  | Blob
  | Uint8Array
  | {
      readonly size: number;
      /** The bytes `[start, end)`. */
      read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
    };

/** The address of an announced file. */
export interface UploadPlace {
  /** Names the upload at its ingest. */
  readonly filepath: string;
  /** Signed, valid for an hour. */
  readonly url: string;
}

/** A file to send. */
export interface SendOptions {
  /** `[a-z0-9_-]+`, without suffix. */
  readonly filename: string;
  readonly uploadSuffix: ".geotiff" | ".zip";
  readonly signal?: AbortSignal;
  /** Called after each piece. */
  readonly onProgress?: (progress: UploadProgress) => void;
  /** Bytes per request; default 16 MiB. */
  readonly pieceBytes?: number;
  /** Of an earlier attempt: the received bytes are not sent again. */
  readonly place?: UploadPlace;
  /** Called with a new address, before the first byte. */
  readonly onPlace?: (place: UploadPlace) => void;
}

export interface UploadOptions extends SendOptions {
  /** Default `local`. */
  readonly provider?: string;
  /** Dataset of the provider; its first one by default. */
  readonly dataset?: string;
  /** Content of a scene.json: a STAC item or members of a scene. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Refuse a file whose time of acquisition nothing states: ACQUISITION-TIME-UNKNOWN. */
  readonly requireDatetime?: boolean;
  /** Called after each piece, after each status request of the ingesting pipeline, and at the end. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

export interface UploadProgress {
  readonly phase: "uploading" | "ingesting" | "done";
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** While ingesting. */
  readonly pipeline?: Progress;
}

export interface UploadResult {
  readonly filepath: string;
  readonly ingestedScenes: IngestedScenes;
}

const DEFAULT_PIECE_BYTES = 16 * 1024 * 1024;

interface UploadService {
  readonly post: Post;
  readonly fetch: Fetch;
  readonly retry: RetryOptions;
  readonly baseUrl: string;
}

/**
 * Requests an upload address, sends the bytes in pieces and ingests the file. After a failure it resumes at the received
 * bytes.
 */
export async function uploadScene(
  service: UploadService,
  source: UploadSource,
  options: UploadOptions,
): Promise<UploadResult> {
  const { dataset, metadata, onProgress, provider, requireDatetime, signal } = options;
  const size = sizeOf(source);
  const place = await sendFile(service, source, options);
  const ingest = { provider: provider ?? "local", filepath: place.filepath, dataset, metadata, requireDatetime };
  const progress = { sentBytes: size, totalBytes: size };
  onProgress?.({ ...progress, phase: "ingesting" });
  const answer = await runPipeline(service.post, "/imagery/ingest-scene", ingest, {
    ...(signal === undefined ? {} : { signal, cancelOnAbort: true }),
    ...(onProgress === undefined
      ? {}
      : {
          onProgress: ({ progress: pipeline }) =>
            onProgress({ ...progress, phase: "ingesting", ...(pipeline === undefined ? {} : { pipeline }) }),
        }),
  });
  onProgress?.({ ...progress, phase: "done" });
  return { filepath: place.filepath, ingestedScenes: readScenes(answer) };
}

/** Requests an upload address and sends the bytes in pieces. After a failure it resumes at the received bytes. */
export async function sendFile(
  service: UploadService,
  source: UploadSource,
  options: SendOptions,
): Promise<{ readonly filepath: string }> {
  const { filename, signal, uploadSuffix } = options;
  const size = sizeOf(source);
  let { place } = options;
  if (place === undefined) {
    const announced = await service.post("/imagery/ingest-scene/upload", { filename, uploadSuffix, size }, signal);
    place = readPlace(announced, service.baseUrl);
    options.onPlace?.(place);
  }
  await sendPieces(service, place.url, source, size, options);
  return { filepath: place.filepath };
}

function sizeOf(source: UploadSource): number {
  return source instanceof Uint8Array ? source.byteLength : source.size;
}

async function sendPieces(
  service: UploadService,
  url: string,
  source: UploadSource,
  size: number,
  options: SendOptions,
): Promise<void> {
  const { onProgress, pieceBytes = DEFAULT_PIECE_BYTES, signal } = options;
  // Only the service knows the received bytes: a failed piece may have arrived in part or completely.
  let sent = options.place === undefined ? 0 : null;
  let failures = 0;
  while (sent === null || sent < size) {
    try {
      if (sent === null) {
        sent = await put(service, url, null, `bytes */${size}`, { size, end: 0 }, signal);
        onProgress?.({ sentBytes: sent, totalBytes: size, phase: "uploading" });
        continue;
      }
      const end = Math.min(size, sent + pieceBytes);
      const whole = sent === 0 && end === size;
      const range = whole ? null : `bytes ${sent}-${end - 1}/${size}`;
      sent = await put(service, url, await readPiece(source, sent, end), range, { size, end }, signal);
      failures = 0;
      onProgress?.({ sentBytes: sent, totalBytes: size, phase: "uploading" });
    } catch (error) {
      signal?.throwIfAborted();
      failures += 1;
      const final = error instanceof ApiError && error.status !== 409 && error.status !== 429 && error.status < 500;
      if (final || failures >= service.retry.maxAttempts) throw error;
      await wait(500 * 2 ** (failures - 1), signal);
      sent = null;
    }
  }
}

/** @returns number of received bytes from the start of the file */
async function put(
  service: UploadService,
  url: string,
  body: Blob | null,
  range: string | null,
  expected: { readonly size: number; readonly end: number },
  signal: AbortSignal | undefined,
): Promise<number> {
  const headers: Record<string, string> = { "content-type": "application/octet-stream" };
  if (range !== null) headers["content-range"] = range;
  const init = { method: "PUT", headers, body, ...(signal === undefined ? {} : { signal }) };
  const answer = await service.fetch(url, init);
  const arrived = /^bytes=0-(\d+)$/.exec(answer.headers.get("range") ?? "")?.[1];
  if (answer.status < 300 || answer.status === 308) {
    await answer.body?.cancel();
    if (answer.status < 300) return expected.size;
    return arrived === undefined ? expected.end : Number(arrived) + 1;
  }
  throw await readApiError(answer);
}

async function readPiece(source: UploadSource, start: number, end: number): Promise<Blob> {
  if (source instanceof Blob) return source.slice(start, end);
  if (source instanceof Uint8Array) return new Blob([Uint8Array.from(source.subarray(start, end))]);
  return new Blob([await source.read(start, end)]);
}

function readPlace(answer: unknown, baseUrl: string): UploadPlace {
  if (typeof answer === "object" && answer !== null && "filepath" in answer && "url" in answer) {
    const { filepath, url } = answer;
    if (typeof filepath === "string" && typeof url === "string") return { filepath, url: addressOf(url, baseUrl) };
  }
  throw new TypeError("the upload request was answered without filepath and url");
}

/** Without a base the address stays on the origin of the page: its policy allows no other. */
function addressOf(url: string, baseUrl: string): string {
  if (baseUrl !== "") return new URL(url, baseUrl).href;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function readScenes(answer: unknown): UploadResult["ingestedScenes"] {
  if (typeof answer === "object" && answer !== null && "ingestedScenes" in answer) {
    if (Array.isArray(answer.ingestedScenes)) return answer.ingestedScenes;
  }
  throw new TypeError("ingesting was answered without ingestedScenes");
}
