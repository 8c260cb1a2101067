import { ApiError, type Client } from "@swath/client";
import { ingestText } from "./ingest-text.ts";
import type { RememberedUpload } from "./remembered-uploads.ts";
import type { IngestedScene } from "./upload.ts";
import {
  changeUpload,
  failUpload,
  forgetUpload,
  isNetworkFailure,
  rememberedUpload,
  rememberUpload,
  type UploadWork,
} from "./upload-work.ts";
import { whenOnline } from "./when-online.ts";

/** The time of a scene: needed of the file, the time of the ingest, or the user's. */
export type AcquisitionTime = "of-file" | "of-ingest" | { readonly datetime: string };

const WAIT_SECONDS = 2;

/** Reads a file that has arrived, and waits for its scenes. */
export async function ingestUpload(work: UploadWork, key: string, time: AcquisitionTime): Promise<void> {
  const signal = work.held.get(key)?.abort.signal ?? new AbortController().signal;
  const onProgress = (message: string | null, step: number): void =>
    changeUpload(work, key, { phase: { kind: "reading", message, step } });
  onProgress(null, 0);
  while (!signal.aborted) {
    const known = rememberedUpload(work, key);
    if (known === null) return failUpload(work, key, new Error(ingestText.wayOut["NON-EXISTENT-UPLOAD"]));
    try {
      const pipelineId = known.pipelineId ?? (await initiate(work, known, time));
      const scenes = await follow(work.calls, pipelineId, onProgress, signal);
      forgetUpload(work, key);
      changeUpload(work, key, { phase: { kind: "done", scenes } });
      return work.onIngested();
    } catch (error) {
      if (signal.aborted) return;
      if (isNetworkFailure(error)) {
        changeUpload(work, key, { phase: { kind: "cut" } });
        await whenOnline(signal);
      } else if (error instanceof ApiError && error.code === "ACQUISITION-TIME-UNKNOWN") {
        rememberUpload(work, { ...known, pipelineId: null });
        return changeUpload(work, key, { phase: { kind: "time-needed" } });
      } else {
        return failUpload(work, key, error);
      }
    }
  }
}

async function initiate(work: UploadWork, known: RememberedUpload, time: AcquisitionTime): Promise<string> {
  const { pipelineId } = await work.calls.initiate("/imagery/ingest-scene", {
    provider: "local",
    filepath: known.place.filepath,
    requireDatetime: time !== "of-ingest",
    ...(typeof time === "string" ? {} : { metadata: { datetime: time.datetime } }),
  });
  rememberUpload(work, { ...known, pipelineId });
  return pipelineId;
}

async function follow(
  calls: Client,
  pipelineId: string,
  onProgress: (message: string | null, step: number) => void,
  signal: AbortSignal,
): Promise<readonly IngestedScene[]> {
  for (;;) {
    const request = { pipelineId, getProgress: true, waitSeconds: WAIT_SECONDS };
    const { status, progress } = await calls.call("/tasking/get-status", request, { signal });
    if (status === "RESOLVED" || status === "FAILED") break;
    onProgress(progress?.message ?? null, progress?.step ?? 0);
  }
  return (await calls.retrieve("/imagery/ingest-scene", pipelineId)).ingestedScenes;
}
