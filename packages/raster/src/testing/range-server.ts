import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FileAnswer {
  /** Null for 404. */
  readonly bytes: Uint8Array | null;
  /** Part of the ETag: another value is another version of the file. */
  readonly version?: number;
  /** False for a server that sends whole files only. */
  readonly ranges?: boolean;
}

/** Sends a file or one range of it, with a strong ETag that `If-Range` may name. */
export function answerFile(headers: IncomingHttpHeaders, response: ServerResponse, answer: FileAnswer): void {
  const { bytes, version = 1, ranges = true } = answer;
  if (bytes === null) {
    response.writeHead(404).end();
    return;
  }
  const etag = `"${createHash("md5").update(`${version}`).update(bytes).digest("hex")}"`;
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "");
  const pinned = headers["if-range"];
  if (range === null || !ranges || (pinned !== undefined && pinned !== etag)) {
    response.writeHead(200, { "content-length": bytes.length, etag }).end(bytes);
    return;
  }
  const start = Number(range[1]);
  const end = Math.min(Number(range[2]) + 1, bytes.length);
  if (start >= bytes.length) {
    response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end();
    return;
  }
  response
    .writeHead(206, {
      "content-range": `bytes ${start}-${end - 1}/${bytes.length}`,
      "content-length": end - start,
      "accept-ranges": "bytes",
      etag,
    })
    .end(bytes.subarray(start, end));
}

/** A request as the server saw it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface RangeServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Answers in place of the server; returns false to let it answer itself. */
  intercept: ((request: SeenRequest, response: ServerResponse) => boolean) | null;
  version: number;
}

export interface RangeServerOptions {
  /** Content of a file by its path without the first slash; null for 404. */
  readonly file: (path: string) => Uint8Array | null;
  readonly ranges?: boolean;
}

/** A file server with ranges on loopback. */
export async function startRangeServer(options: RangeServerOptions): Promise<RangeServer> {
  const http = createServer((incoming, response) => answerRequest(server, options, incoming, response));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has an address with a port
  const { port } = http.address() as AddressInfo;
  const server: RangeServer = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    intercept: null,
    version: 1,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
  return server;
}

function answerRequest(
  server: RangeServer,
  { file, ranges }: RangeServerOptions,
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  const path = decodeURIComponent(new URL(incoming.url ?? "/", server.url).pathname);
  const seen: SeenRequest = { path, headers: incoming.headers };
  server.requests.push(seen);
  if (server.intercept?.(seen, response) === true) return;
  const { version } = server;
  answerFile(incoming.headers, response, { bytes: file(path.slice(1)), version, ranges: ranges ?? true });
}
