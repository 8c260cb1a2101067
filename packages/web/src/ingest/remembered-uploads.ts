import type { UploadPlace } from "@swath/client";

/** An upload that a reload of the page interrupts. */
export interface RememberedUpload {
  readonly key: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly place: UploadPlace;
  /** The service forgets an unfinished upload then. */
  readonly endsAtMs: number;
  readonly isSent: boolean;
  /** Of the ingest; null before it. */
  readonly pipelineId: string | null;
}

export interface RememberedUploads {
  list(userId: string): readonly RememberedUpload[];
  set(userId: string, upload: RememberedUpload): void;
  remove(userId: string, key: string): void;
}

const PREFIX = "swath-uploads/";
/** The service takes 100 open uploads of a user. */
const MAX_UPLOADS = 100;

/** Keeps unfinished uploads in the storage of the browser, separately for each user. */
export function createRememberedUploads(storage: Storage, nowMs: () => number): RememberedUploads {
  const list = (userId: string): readonly RememberedUpload[] =>
    parsed(storage.getItem(PREFIX + userId)).filter(({ endsAtMs }) => endsAtMs > nowMs());
  const write = (userId: string, uploads: readonly RememberedUpload[]): void => {
    if (uploads.length === 0) storage.removeItem(PREFIX + userId);
    else storage.setItem(PREFIX + userId, JSON.stringify(uploads.slice(-MAX_UPLOADS)));
  };
  return {
    list,
    set: (userId, upload) => write(userId, [...list(userId).filter(({ key }) => key !== upload.key), upload]),
    remove: (userId, removed) =>
      write(
        userId,
        list(userId).filter(({ key }) => key !== removed),
      ),
  };
}

/** Another version of the page may have written something else. */
function parsed(text: string | null): readonly RememberedUpload[] {
  try {
    const read: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(read) ? read.filter(isRemembered) : [];
  } catch {
    return [];
  }
}

function isRemembered(value: unknown): value is RememberedUpload {
  if (typeof value !== "object" || value === null) return false;
  const { key, name, sizeBytes, endsAtMs, isSent, pipelineId, place } = value as Readonly<Record<string, unknown>>;
  if (typeof place !== "object" || place === null || !("url" in place) || !("filepath" in place)) return false;
  // An address of another origin is none of this service.
  const isPlace = typeof place.url === "string" && /^\/(?!\/)/.test(place.url) && typeof place.filepath === "string";
  const isText = typeof key === "string" && typeof name === "string";
  const isState = typeof isSent === "boolean" && (pipelineId === null || typeof pipelineId === "string");
  return isPlace && isText && isState && Number.isFinite(sizeBytes) && Number.isFinite(endsAtMs);
}
