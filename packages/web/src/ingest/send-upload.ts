import { ApiError } from "@swath/client";
import { ingestText } from "./ingest-text.ts";
import { uploadName } from "./upload-name.ts";
import {
  changeUpload,
  failUpload,
  forgetUpload,
  isNetworkFailure,
  rememberedUpload,
  rememberUpload,
  type HeldUpload,
  type UploadWork,
} from "./upload-work.ts";
import { whenOnline } from "./when-online.ts";

/** Small enough for a progress that moves on a slow line; 1 GiB is 128 requests. */
const PIECE_BYTES = 8 * 1024 * 1024;
const ADDRESS_LIFETIME_MS = 3_600_000;

/**
 * Sends a file by slices until it has arrived, or until the user pauses. A network that is away is waited for. Returns
 * whether the file has arrived.
 */
export async function sendUpload(work: UploadWork, key: string, held: HeldUpload): Promise<boolean> {
  const { signal } = held.abort;
  while (!signal.aborted) {
    const isResumed = rememberedUpload(work, key) !== null;
    try {
      await sendOnce(work, key, held);
      return true;
    } catch (error) {
      if (signal.aborted) break;
      if (isNetworkFailure(error)) {
        if (!(await isReadable(held.file))) {
          failUpload(work, key, new Error(ingestText.fileChanged));
          break;
        }
        changeUpload(work, key, { phase: { kind: "cut" } });
        await whenOnline(signal);
        continue;
      }
      forgetUpload(work, key);
      // An address that has ended takes nothing more: the file starts again, once.
      if (isResumed && error instanceof ApiError && (error.status === 401 || error.status === 404)) continue;
      failUpload(work, key, error);
      break;
    }
  }
  return false;
}

async function sendOnce(work: UploadWork, key: string, { file, abort }: HeldUpload): Promise<void> {
  const named = file === null ? null : uploadName(file.name);
  if (file === null || named === null) throw new TypeError("expected a file of imagery");
  const known = rememberedUpload(work, key);
  changeUpload(work, key, { phase: { kind: "sending" } });
  await work.calls.sendFile(file, {
    ...named,
    pieceBytes: PIECE_BYTES,
    signal: abort.signal,
    ...(known === null ? {} : { place: known.place }),
    onPlace: (place) => {
      const endsAtMs = Date.now() + ADDRESS_LIFETIME_MS;
      const { name, size: sizeBytes } = file;
      rememberUpload(work, { key, name, sizeBytes, place, endsAtMs, isSent: false, pipelineId: null });
    },
    onProgress: ({ sentBytes }) => changeUpload(work, key, { sentBytes, phase: { kind: "sending" } }),
  });
  const sent = rememberedUpload(work, key);
  if (sent !== null) rememberUpload(work, { ...sent, isSent: true });
}

/** A file that was changed or removed since its choice fails like a network that is away. */
async function isReadable(file: File | null): Promise<boolean> {
  return await (file?.slice(0, 1).arrayBuffer() ?? Promise.reject(new Error("no file"))).then(
    () => true,
    () => false,
  );
}
