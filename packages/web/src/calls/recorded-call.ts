import { withoutSecrets } from "./without-secrets.ts";

/** A request of the page to the service. */
export interface RecordedCall {
  readonly id: number;
  readonly method: string;
  /** With the query, without the origin. */
  readonly path: string;
  /** JSON without passwords; null where the body is no JSON, or too long to keep. */
  readonly body: string | null;
  /** Null while it runs, and where no answer came. */
  readonly status: number | null;
  readonly elapsedMs: number | null;
  readonly requestId: string | null;
  /** Whether the answer is a file, such as a picture, and no JSON. */
  readonly isFile: boolean;
  /** How often it was made one time after the other: polling repeats a request. */
  readonly count: number;
}

const KEPT_CALLS = 100;
/** Areas of 10,000 positions have 400,000 characters; 100 such calls are 40 MB. */
const MAX_BODY_CHARACTERS = 400_000;

/** Puts a started call in front; a repeated one keeps its ID and is counted. Keeps the last 100. */
export function withStarted(
  calls: readonly RecordedCall[],
  started: Pick<RecordedCall, "method" | "path" | "body">,
): readonly [RecordedCall, ...RecordedCall[]] {
  const same = calls.find(
    ({ method, path, body }) => method === started.method && path === started.path && body === started.body,
  );
  const id = same?.id ?? 1 + calls.reduce((largest, one) => Math.max(largest, one.id), 0);
  const call = {
    ...started,
    id,
    status: null,
    elapsedMs: null,
    requestId: null,
    isFile: false,
    count: (same?.count ?? 0) + 1,
  };
  return [call, ...calls.filter((one) => one.id !== id).slice(0, KEPT_CALLS - 1)];
}

/** The JSON of a request without its secrets. Null for a file and for a body that is too long to keep. */
export function recordedBody(body: unknown): string | null {
  return typeof body === "string" && body.length <= MAX_BODY_CHARACTERS ? withoutSecrets(body) : null;
}
