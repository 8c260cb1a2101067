import { createHash } from "node:crypto";
import { Transform } from "node:stream";

const NEWLINE = 0x0a;

/** Passes text in the format of COPY on, with the count of its rows and its SHA-256. */
export class TextDigest extends Transform {
  readonly #hash = createHash("sha256");
  /** A line for each row: newlines in values are escaped. */
  rows = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk);
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) this.rows += 1;
    done(null, chunk);
  }

  /** Of all text, at its end. */
  sha256(): string {
    return this.#hash.digest("hex");
  }
}
