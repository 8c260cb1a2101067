import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { ingestText } from "./ingest-text.ts";
import { ingestUpload, type AcquisitionTime } from "./ingest-upload.ts";
import { sendUpload } from "./send-upload.ts";
import type { Upload, UploadPhase } from "./upload.ts";
import { uploadName } from "./upload-name.ts";
import { changeUpload, forgetUpload, rememberedUpload, type UploadWork } from "./upload-work.ts";

/** Files of the user on their way to scenes. They go on while other screens are open. */
export interface Uploads {
  /** In the order of their choice. */
  readonly list: ReadonlySignal<readonly Upload[]>;
  /** Sends files, one after the other. A file whose upload was interrupted goes on. */
  add(files: readonly File[]): void;
  pause(key: string): void;
  resume(key: string): void;
  /** Ingests a file whose time nothing states. */
  setTime(key: string, time: AcquisitionTime): void;
  /** Takes a file from the list and stops its sending. */
  remove(key: string): void;
}

export function createUploads(options: Pick<UploadWork, "calls" | "onIngested" | "remembered" | "userId">): Uploads {
  const work: UploadWork = { ...options, list: signal([]), held: new Map(), turn: Promise.resolve() };
  let lastUserId: string | null = null;
  effect(() => {
    const userId = work.userId.value;
    if (userId === null) return;
    if (lastUserId !== null && lastUserId !== userId) clear(work);
    lastUserId = userId;
    restore(work, userId);
  });
  // Said at once: the client tries a piece for some seconds before it gives up.
  addEventListener("offline", () => {
    for (const { key, phase } of work.list.peek()) {
      if (phase.kind === "sending") changeUpload(work, key, { phase: { kind: "cut" } });
    }
  });
  return {
    list: work.list,
    add: (files) => {
      for (const file of files) take(work, file);
    },
    pause(key) {
      work.held.get(key)?.abort.abort();
      changeUpload(work, key, { phase: { kind: "paused" } });
    },
    resume(key) {
      const file = work.held.get(key)?.file ?? null;
      if (rememberedUpload(work, key)?.isSent === true) start(work, key, "of-file");
      else if (file !== null) take(work, file);
      else changeUpload(work, key, { phase: { kind: "file-needed" } });
    },
    setTime: (key, time) => start(work, key, time),
    remove(key) {
      work.held.get(key)?.abort.abort();
      work.held.delete(key);
      forgetUpload(work, key);
      work.list.value = work.list.value.filter((one) => one.key !== key);
    },
  };
}

/** The key of a file: the same file again is the same upload. */
export function uploadKey(file: Pick<File, "lastModified" | "name" | "size">): string {
  return `${file.name}/${file.size}/${file.lastModified}`;
}

/** The files of one user are none of the next one's. */
function clear(work: UploadWork): void {
  for (const { abort } of work.held.values()) abort.abort();
  work.held.clear();
  work.list.value = [];
}

/** Uploads of the page before its reload. */
function restore(work: UploadWork, userId: string): void {
  const known = new Set(work.list.peek().map(({ key }) => key));
  for (const { key, name, sizeBytes, isSent } of work.remembered.list(userId)) {
    if (known.has(key)) continue;
    const phase: UploadPhase = { kind: isSent ? "waiting" : "file-needed" };
    work.list.value = [...work.list.peek(), { key, name, sizeBytes, sentBytes: isSent ? sizeBytes : 0, phase }];
    if (isSent) start(work, key, "of-file");
  }
}

function start(work: UploadWork, key: string, time: AcquisitionTime): void {
  const file = work.held.get(key)?.file ?? null;
  work.held.set(key, { file, abort: new AbortController() });
  void ingestUpload(work, key, time);
}

function take(work: UploadWork, file: File): void {
  const key = uploadKey(file);
  const others = work.list.peek();
  const former = others.find((one) => one.key === key);
  const isBusy = former !== undefined && ["cut", "reading", "sending", "waiting"].includes(former.phase.kind);
  if (isBusy) return;
  const isImagery = uploadName(file.name) !== null;
  const phase: UploadPhase = isImagery
    ? { kind: "waiting" }
    : { kind: "failed", code: null, message: ingestText.wrongKind };
  const upload = { key, name: file.name, sizeBytes: file.size, sentBytes: former?.sentBytes ?? 0, phase };
  work.list.value = former === undefined ? [...others, upload] : others.map((one) => (one.key === key ? upload : one));
  if (!isImagery) return;
  const held = { file, abort: new AbortController() };
  work.held.set(key, held);
  work.turn = work.turn.then(async () => {
    if (await sendUpload(work, key, held)) start(work, key, "of-file");
  });
}
