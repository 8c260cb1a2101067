import { systemClock } from "@swath/base/clock";
import type { ByteSource } from "./byte-source.ts";
import { createHostRules } from "./remote/host-rules.ts";
import { openHttpSource } from "./remote/http-byte-source.ts";
import { createHttpTransport } from "./remote/http-transport.ts";
import { createRemoteClient } from "./remote/remote-client.ts";

export interface HttpSourceOptions {
  /** Headers of every request to the host, lower-case names: `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further hosts to which the address may redirect: `example.com`, `*.example.com`, `host:8443`. */
  readonly redirectHosts?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * A file on an HTTP server, read by byte ranges. Near ranges are fetched together; failed requests are repeated.
 * The file must stay the same while it is read. Headers go to the host of the address only.
 *
 * @throws {RasterError} unreadable when the server lacks the file or serves no ranges of it; unreachable when it does
 * not answer
 */
export async function httpSource(url: URL, options: HttpSourceOptions = {}): Promise<ByteSource & AsyncDisposable> {
  const { headers, redirectHosts = [], signal = new AbortController().signal } = options;
  const host = url.protocol === "http:" ? url.origin : url.host;
  const transport = createHttpTransport({
    rules: createHostRules({ hosts: [host, ...redirectHosts], privateHosts: [url.hostname] }),
    authorize: (target) => Promise.resolve(headers !== undefined && target.origin === url.origin ? { headers } : null),
  });
  try {
    const source = await openHttpSource({ client: createRemoteClient({ transport, clock: systemClock }), url }, signal);
    return {
      name: source.name,
      sizeBytes: source.sizeBytes,
      available: (offset) => source.available(offset),
      plan: (ranges) => {
        source.plan(ranges);
      },
      fetch: (offset, length, read) => source.fetch(offset, length, read),
      [Symbol.asyncDispose]: () => Promise.resolve(transport[Symbol.dispose]()),
    };
  } catch (error) {
    transport[Symbol.dispose]();
    throw error;
  }
}
