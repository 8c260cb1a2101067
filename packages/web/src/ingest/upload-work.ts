import type { ReadonlySignal, Signal } from "@preact/signals";
import { ApiError, type Client } from "@swath/client";
import type { RememberedUpload, RememberedUploads } from "./remembered-uploads.ts";
import type { Upload } from "./upload.ts";

/** The uploads of a page, with their files and running requests. */
export interface UploadWork {
  readonly calls: Client;
  readonly remembered: RememberedUploads;
  readonly userId: ReadonlySignal<string | null>;
  readonly list: Signal<readonly Upload[]>;
  /** Files and running work by key. */
  readonly held: Map<string, HeldUpload>;
  readonly onIngested: () => void;
  /** The end of the sending before. */
  turn: Promise<void>;
}

export interface HeldUpload {
  /** Null after a reload. */
  readonly file: File | null;
  readonly abort: AbortController;
}

export function changeUpload({ list }: Pick<UploadWork, "list">, key: string, changed: Partial<Upload>): void {
  list.value = list.peek().map((one) => (one.key === key ? { ...one, ...changed } : one));
}

/** Ends an upload with the words of its failure. */
export function failUpload(work: UploadWork, key: string, error: unknown): void {
  const code = error instanceof ApiError ? error.code : null;
  const message = error instanceof Error ? error.message : String(error);
  forgetUpload(work, key);
  changeUpload(work, key, { phase: { kind: "failed", code, message } });
}

export function rememberedUpload({ remembered, userId }: UploadWork, key: string): RememberedUpload | null {
  const owner = userId.peek();
  return (owner === null ? [] : remembered.list(owner)).find((one) => one.key === key) ?? null;
}

export function rememberUpload({ remembered, userId }: UploadWork, upload: RememberedUpload): void {
  const owner = userId.peek();
  if (owner !== null) remembered.set(owner, upload);
}

export function forgetUpload({ remembered, userId }: UploadWork, key: string): void {
  const owner = userId.peek();
  if (owner !== null) remembered.remove(owner, key);
}

/** Whether no answer came: the request may be repeated when the network is back. */
export function isNetworkFailure(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 503;
}
