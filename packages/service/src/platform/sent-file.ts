import type { Readable } from "node:stream";

/** The answer of a file route. `body` null for 204 and 304. */
export interface FileAnswer {
  readonly status: number;
  readonly mediaType?: string;
  readonly body: Uint8Array | Readable | null;
  /** Length of a streamed body, where known. */
  readonly contentLength?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer of an operation as a file, for a client that asks for another format. */
export class SentFile {
  readonly answer: FileAnswer;

  constructor(answer: FileAnswer) {
    this.answer = answer;
  }
}
