import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type ContentEncoding = "br" | "gzip" | "identity";

/** Smaller answers grow by compression, or hardly shrink. */
const COMPRESS_ABOVE_BYTES = 1024;
/** Compressed once and sent often, in a thread of the platform. */
const BROTLI_QUALITY = 6;
const GZIP_LEVEL = 9;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** An answer of an operation that is kept as bytes: written once, compressed once for each encoding. */
export class KeptJson<Value> {
  readonly #bytes: Buffer;
  readonly #tag: string;
  readonly #encoded = new Map<ContentEncoding, Promise<Buffer>>();

  constructor(value: Value) {
    this.#bytes = Buffer.from(JSON.stringify(value));
    this.#tag = createHash("sha256").update(this.#bytes).digest("base64url").slice(0, 27);
  }

  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  get isList(): boolean {
    return this.#bytes[0] === "[".charCodeAt(0);
  }

  /** The answer, read again. */
  get value(): Value {
    return JSON.parse(this.#bytes.toString()) as Value;
  }

  /** The encoding in which the answer is sent to a client that prefers `accepted`. */
  encodingFor(accepted: ContentEncoding): ContentEncoding {
    return this.#bytes.byteLength < COMPRESS_ABOVE_BYTES ? "identity" : accepted;
  }

  /** Strong, so other for each encoding. */
  etag(encoding: ContentEncoding): string {
    return encoding === "identity" ? `"${this.#tag}"` : `"${this.#tag}-${encoding}"`;
  }

  encoded(encoding: ContentEncoding): Promise<Buffer> {
    const known = this.#encoded.get(encoding);
    if (known !== undefined) return known;
    const made = compressed(this.#bytes, encoding);
    this.#encoded.set(encoding, made);
    return made;
  }
}

async function compressed(bytes: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  if (encoding === "identity") return bytes;
  if (encoding === "gzip") return deflate(bytes, { level: GZIP_LEVEL });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return brotli(bytes, {
    params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: bytes.byteLength },
  });
}
