import { signal, type ReadonlySignal } from "@preact/signals";
import { recordedBody, withStarted, type RecordedCall } from "./recorded-call.ts";

export interface Recorder {
  /** The newest first. */
  readonly list: ReadonlySignal<readonly RecordedCall[]>;
  /** Makes a call and writes it down with its answer. */
  record(
    fetchIt: () => Promise<Response>,
    request: { readonly url: string; readonly init: RequestInit | undefined },
  ): Promise<Response>;
  clear(): void;
}

/** The signature of an address grants what it names, to anyone. */
const SIGNATURE = /signature=[^&]+/;

/** Writes down the last calls of the page, for people who want to repeat them in a program. */
export function createRecorder(now: () => number): Recorder {
  const list = signal<readonly RecordedCall[]>([]);
  const end = (id: number, change: Partial<RecordedCall>): void => {
    list.value = list.value.map((call) => (call.id === id ? { ...call, ...change } : call));
  };
  return {
    list,
    async record(fetchIt, { url, init }) {
      const calls = withStarted(list.value, {
        method: init?.method ?? "GET",
        path: url.replace(SIGNATURE, "signature=…"),
        body: recordedBody(init?.body),
      });
      list.value = calls;
      const [{ id }] = calls;
      const startMs = now();
      try {
        const answer = await fetchIt();
        const requestId = answer.headers.get("request-id");
        const isFile = !(answer.headers.get("content-type") ?? "json").includes("json");
        end(id, { status: answer.status, elapsedMs: now() - startMs, requestId, isFile });
        return answer;
      } catch (error) {
        end(id, { elapsedMs: now() - startMs });
        throw error;
      }
    },
    clear() {
      list.value = [];
    },
  };
}
