import { LRUCache } from "lru-cache";
import { RasterError } from "../raster-error.ts";
import type { Clock } from "@swath/base/clock";
import type { ByteSource } from "../byte-source.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { displayUrl } from "./host-rules.ts";
import type { HttpResponse } from "./http-transport.ts";
import { type ByteRange, type MergeLimits, mergeRanges, REMOTE_MERGE } from "./merge-ranges.ts";
import { type RemoteClient, Retry } from "./remote-client.ts";

export interface HttpSourceOptions {
  readonly client: RemoteClient;
  readonly url: URL;
  /** For messages; host and path unless given. */
  readonly name?: string;
  /** Beginnings of files, shared between opens. */
  readonly headers?: HeaderCache;
  readonly budget?: ByteBudget;
  /** Bytes of the first request. */
  readonly prefetchBytes?: number;
  /** Largest file that is taken whole from a server without ranges. */
  readonly maxWholeBytes?: number;
  readonly merge?: MergeLimits;
}

/** A remote file, read piece by piece. */
export interface HttpByteSource extends ByteSource {
  /** Requests sent for this source, tries of the client not counted. */
  readonly requests: number;
  /** Bytes from `offset` on that are here already. */
  available(offset: number): number;
  /**
   * Announces what will be read, so that pieces near each other are fetched together. Reads outside of every
   * announced range still work.
   *
   * @returns the number of requests that reading all of it will take
   */
  plan(ranges: readonly ByteRange[]): number;
}

/** Large enough for the directories of a granule in 256-pixel blocks, small enough to cost no more than a round trip. */
const PREFETCH_BYTES = 64 * 1024;
/** Directories beyond the prefetched part are read in pieces of this size. */
const READ_AHEAD_BYTES = 16 * 1024;
/** Directories at the end of a file follow the values of their tags. */
const READ_BEHIND_BYTES = 8 * 1024;
const MAX_WHOLE_BYTES = 16 * 1024 * 1024;
/** Merged ranges kept until their pieces have been read. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** Merged ranges that are fetched before they are asked for: readers go through a file from its start. */
const GROUPS_AHEAD = 2;
/** Announced ranges: a row of tiles of each band and image, with room. */
const MAX_PLANNED = 1_000_000;

interface Segment {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Kept knowledge of a file: its identity and its descriptive parts. */
interface Known {
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly segments: Segment[];
}

/** Beginnings of remote files for a time, so that opening a file again costs no request. */
export class HeaderCache {
  readonly #entries: LRUCache<string, { readonly known: Known; readonly storedAtMs: number }>;
  readonly #clock: Clock;
  readonly #maxAgeMs: number;

  constructor(clock: Clock, options: { readonly maxBytes?: number; readonly maxAgeMs?: number } = {}) {
    this.#clock = clock;
    this.#maxAgeMs = options.maxAgeMs ?? 600_000;
    this.#entries = new LRUCache({
      maxSize: options.maxBytes ?? 32 * 1024 * 1024,
      sizeCalculation: ({ known }) => known.segments.reduce((sum, { bytes }) => sum + bytes.length, 1000),
    });
  }

  get(url: URL): Known | null {
    const entry = this.#entries.get(url.href);
    if (entry === undefined) return null;
    if (this.#clock.now().getTime() - entry.storedAtMs <= this.#maxAgeMs) return entry.known;
    this.#entries.delete(url.href);
    return null;
  }

  set(url: URL, known: Known): void {
    this.#entries.set(url.href, { known, storedAtMs: this.#clock.now().getTime() });
  }

  delete(url: URL): void {
    this.#entries.delete(url.href);
  }
}

/**
 * A file on an HTTP server, by ranges. The first request fetches its beginning and learns its size; every later
 * answer must be of the same version of the file.
 *
 * @throws {RasterError} unreadable when the server lacks the file, or serves no ranges of a large file. Unreachable when
 * the server does not answer or the file changes
 */
export async function openHttpSource(options: HttpSourceOptions, signal: AbortSignal): Promise<HttpByteSource> {
  const known = options.headers?.get(options.url) ?? null;
  if (known !== null) return new Source(options, known, 0, signal);
  const wanted = options.prefetchBytes ?? PREFETCH_BYTES;
  const response = await options.client.send(
    {
      url: options.url,
      headers: { range: `bytes=0-${wanted - 1}` },
      maxBytes: options.maxWholeBytes ?? MAX_WHOLE_BYTES,
      accept: (answer) => {
        if (answer.status === 206) checkRange(answer, 0, wanted, null);
      },
    },
    signal,
  );
  const source = new Source(options, beginning(options, response), 1, signal);
  options.budget?.take(response.body?.length ?? 0);
  source.remember();
  return source;
}

function beginning(options: HttpSourceOptions, response: HttpResponse): Known {
  const name = nameOf(options);
  const identity = { etag: response.headers["etag"] ?? null, lastModified: response.headers["last-modified"] ?? null };
  if (response.status === 206 && response.body !== null) {
    const total = contentRange(response)?.total ?? null;
    if (total === null) throw unreadable(name, "does not tell its size in Content-Range");
    return { ...identity, sizeBytes: total, segments: [{ offset: 0, bytes: response.body }] };
  }
  if (response.status === 200) {
    if (response.body === null) {
      throw unreadable(
        name,
        `is on a server that ignores ranges and is longer than ${options.maxWholeBytes ?? MAX_WHOLE_BYTES} bytes, expected a server of byte ranges`,
      );
    }
    return { ...identity, sizeBytes: response.body.length, segments: [{ offset: 0, bytes: response.body }] };
  }
  throw statusError(name, response.status);
}

class Source implements HttpByteSource {
  readonly name: string;
  readonly sizeBytes: number;
  readonly #options: HttpSourceOptions;
  readonly #known: Known;
  /** Signal of reads without a signal. */
  readonly #openSignal: AbortSignal;
  readonly #groups = new LRUCache<number, Promise<Uint8Array>>({ maxSize: KEPT_BYTES });
  /** Until a plan is made, what is read describes the file and is kept. */
  #planned: readonly ByteRange[] | null = null;
  #requests: number;

  constructor(options: HttpSourceOptions, known: Known, requests: number, openSignal: AbortSignal) {
    this.#options = options;
    this.#known = known;
    this.#requests = requests;
    this.#openSignal = openSignal;
    this.name = nameOf(options);
    this.sizeBytes = known.sizeBytes;
  }

  get requests(): number {
    return this.#requests;
  }

  available(offset: number): number {
    const segment = this.#known.segments.find((one) => offset >= one.offset && offset < one.offset + one.bytes.length);
    return segment === undefined ? 0 : segment.offset + segment.bytes.length - offset;
  }

  plan(ranges: readonly ByteRange[]): number {
    const merge = this.#options.merge ?? REMOTE_MERGE;
    const missing = ranges.filter(({ start, end }) => end > start && this.available(start) < end - start);
    this.#planned = mergeRanges(missing.slice(0, MAX_PLANNED), merge);
    return this.#planned.length;
  }

  async fetch(offset: number, length: number, options: { readonly signal?: AbortSignal } = {}): Promise<Uint8Array> {
    const end = Math.min(offset + length, this.sizeBytes);
    if (!(offset >= 0) || end <= offset) return new Uint8Array(0);
    const signal = options.signal ?? this.#openSignal;
    signal.throwIfAborted();
    const here = this.#known.segments.find((one) => offset >= one.offset && end <= one.offset + one.bytes.length);
    if (here !== undefined) return here.bytes.slice(offset - here.offset, end - here.offset);
    const group = this.#groupOf(offset, end);
    const range = this.#planned?.[group];
    if (range !== undefined) {
      const bytes = await this.#readGroup(group, signal);
      return bytes.slice(offset - range.start, end - range.start);
    }
    if (this.#planned !== null) return this.#request(offset, end, signal);
    const from = Math.max(0, offset - READ_BEHIND_BYTES);
    const to = Math.min(this.sizeBytes, Math.max(end, offset + READ_AHEAD_BYTES));
    const bytes = await this.#request(from, to, signal);
    this.#known.segments.push({ offset: from, bytes });
    this.remember();
    return bytes.slice(offset - from, end - from);
  }

  remember(): void {
    this.#options.headers?.set(this.#options.url, this.#known);
  }

  /** Position of the planned range that holds all of these bytes; -1 when there is none. */
  #groupOf(start: number, end: number): number {
    const planned = this.#planned ?? [];
    let low = 0;
    let high = planned.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = planned[middle];
      if (range === undefined) return -1;
      if (start < range.start) high = middle - 1;
      else if (start >= range.end) low = middle + 1;
      else return end <= range.end ? middle : -1;
    }
    return -1;
  }

  /** The merged range, fetched once for all that wait for parts of it; the ones after it are on their way meanwhile. */
  async #readGroup(index: number, signal: AbortSignal): Promise<Uint8Array> {
    const reading = this.#start(index, signal);
    for (let ahead = 1; ahead <= GROUPS_AHEAD; ahead++) {
      if (this.#planned?.[index + ahead] !== undefined) void this.#start(index + ahead, signal);
    }
    try {
      return await reading;
    } catch (error) {
      // Whoever asked first may have left; that is no failure of the others.
      if (!isAbort(error) || signal.aborted) throw error;
      return this.#readGroup(index, signal);
    }
  }

  #start(index: number, signal: AbortSignal): Promise<Uint8Array> {
    const group = this.#planned?.[index] ?? { start: 0, end: 0 };
    const running = this.#groups.get(group.start);
    if (running !== undefined) return running;
    const reading = this.#request(group.start, group.end, signal);
    this.#groups.set(group.start, reading, { size: Math.min(KEPT_BYTES, group.end - group.start) });
    reading.catch(() => {
      if (this.#groups.peek(group.start) === reading) this.#groups.delete(group.start);
    });
    return reading;
  }

  async #request(start: number, end: number, signal: AbortSignal): Promise<Uint8Array> {
    const { client, url, budget, headers } = this.#options;
    const { etag } = this.#known;
    budget?.take(end - start);
    this.#requests += 1;
    const strong = etag !== null && !etag.startsWith("W/");
    const response = await client.send(
      {
        url,
        headers: { range: `bytes=${start}-${end - 1}`, ...(strong ? { "if-range": etag } : {}) },
        maxBytes: end - start,
        accept: (answer) => {
          if (answer.status === 206 && !this.#changed(answer)) checkRange(answer, start, end, this.sizeBytes);
        },
      },
      signal,
    );
    if (response.status === 200 || response.status === 412 || this.#changed(response)) {
      headers?.delete(url);
      throw new RasterError("unreachable", `${this.name} changed while it was read; ask again`);
    }
    if (response.status !== 206 || response.body === null) {
      if (response.status === 404 || response.status === 410) headers?.delete(url);
      throw statusError(this.name, response.status);
    }
    return response.body;
  }

  #changed(answer: HttpResponse): boolean {
    if (answer.status !== 206) return false;
    const total = contentRange(answer)?.total ?? this.sizeBytes;
    return (
      total !== this.sizeBytes ||
      differs(this.#known.etag, answer.headers["etag"]) ||
      (this.#known.etag === null && differs(this.#known.lastModified, answer.headers["last-modified"]))
    );
  }
}

function differs(known: string | null, now: string | undefined): boolean {
  return known !== null && now !== undefined && known !== now;
}

/** @throws {Retry} when the answer is not the range that was asked for */
function checkRange(answer: HttpResponse, start: number, end: number, sizeBytes: number | null): void {
  const range = contentRange(answer);
  const got = answer.headers["content-range"] ?? "nothing";
  const total = sizeBytes ?? range?.total ?? null;
  const expectedEnd = total === null ? end : Math.min(end, total);
  if (range === null || range.start !== start || range.end !== expectedEnd) {
    throw new Retry(
      `answered with Content-Range "${got.slice(0, 80)}", expected bytes ${start}-${expectedEnd - 1}`,
      "unreadable",
    );
  }
  if (answer.body?.length !== range.end - range.start) {
    throw new Retry(
      `sent ${answer.body?.length ?? "too many"} bytes for a range of ${range.end - range.start}`,
      "unreadable",
    );
  }
}

function contentRange({ headers }: HttpResponse): (ByteRange & { readonly total: number | null }) | null {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec((headers["content-range"] ?? "").trim());
  if (match === null) return null;
  const total = match[3] === "*" ? null : Number(match[3]);
  const [start, end] = [Number(match[1]), Number(match[2]) + 1];
  return end <= start || (total !== null && end > total) ? null : { start, end, total };
}

function statusError(name: string, status: number): RasterError {
  if (status === 401 || status === 403) {
    return new RasterError(
      "unreachable",
      `${name} was refused with status ${status}; check the credentials for its host`,
    );
  }
  return unreadable(name, `was answered with status ${status}, expected 206 with a range of the file`);
}

function unreadable(name: string, message: string): RasterError {
  return new RasterError("unreadable", `${name} ${message}`);
}

function nameOf(options: HttpSourceOptions): string {
  return options.name ?? displayUrl(options.url);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}
