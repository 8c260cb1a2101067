import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { FetchRange } from "@swath/raster/cog/byte-supply";
import { describeFailure, failureError } from "@swath/base/threads/thread-failure";
import type { FetchAnswer, FetchAsked } from "./messages.ts";

/** Bytes that a thread asks of the one that started it. */
export class RelayedFetches {
  /** Asks, and waits until `settle` is given the answer. */
  readonly fetchRange: FetchRange;
  readonly #waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();
  #lastId = 0;

  constructor(ask: (message: FetchAsked) => void) {
    this.fetchRange = (range, signal) => {
      const id = ++this.#lastId;
      const fetched = Promise.withResolvers<Uint8Array>();
      this.#waiting.set(id, fetched);
      ask({ kind: "fetch", id, range });
      signal.addEventListener("abort", () => fetched.reject(signal.reason), { once: true });
      return fetched.promise;
    };
  }

  settle(answer: FetchAnswer): void {
    const fetched = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.kind === "fetched") fetched?.resolve(answer.bytes);
    else fetched?.reject(failureError(answer.failure));
  }
}

/** Answer to a thread that requested bytes; never rejects. */
export async function answerFetch(
  blobs: Pick<BlobStore, "read">,
  { id, range: { key, offset, length } }: FetchAsked,
  signal: AbortSignal,
): Promise<FetchAnswer> {
  try {
    return { kind: "fetched", id, bytes: await blobs.read(key, offset, length, { signal }) };
  } catch (error) {
    return { kind: "fetch-failed", id, failure: describeFailure(error) };
  }
}
