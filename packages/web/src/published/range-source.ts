import type { RangeResponse, Source } from "pmtiles";

/** A whole file of this size may be kept in memory, where the web server answers no ranges. */
const MOST_WHOLE_BYTES = 64 * 1024 * 1024;

/**
 * The bytes of a file on a web server by ranges. A server without ranges sends the whole file once, which is kept: the
 * small servers of programming languages are such.
 */
export class RangeSource implements Source {
  readonly #url: string;
  #whole: Promise<ArrayBuffer> | null = null;

  /** @param url address, relative to the page */
  constructor(url: string) {
    this.#url = url;
  }

  getKey(): string {
    return this.#url;
  }

  /** @throws {Error} for an answer without the file, and for a file that is too large to be sent whole */
  async getBytes(offset: number, length: number, signal?: AbortSignal): Promise<RangeResponse> {
    if (this.#whole !== null) return part(await this.#whole, offset, length);
    const answer = await fetch(this.#url, {
      headers: { range: `bytes=${offset}-${offset + length - 1}` },
      ...(signal === undefined ? {} : { signal }),
    });
    if (answer.status === 206) return { data: await answer.arrayBuffer() };
    if (answer.status !== 200) throw new Error(`${this.#url}: HTTP ${answer.status}`);
    if (Number(answer.headers.get("content-length") ?? Infinity) > MOST_WHOLE_BYTES) {
      await answer.body?.cancel();
      throw new Error(`${this.#url}: the web server must answer ranges of bytes for a file of this size`);
    }
    this.#whole = answer.arrayBuffer();
    return part(await this.#whole, offset, length);
  }
}

function part(whole: ArrayBuffer, offset: number, length: number): RangeResponse {
  return { data: whole.slice(offset, offset + length) };
}
