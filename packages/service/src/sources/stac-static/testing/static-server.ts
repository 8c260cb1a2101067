import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerFile } from "@swath/raster/testing/range-server";

/** A request as the server saw it. */
interface SeenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Files of a static catalogue on loopback, as a web server sends them: with ETags and ranges. */
export interface StaticServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Statuses in the order of `requests`, those under way left out. */
  readonly statuses: number[];
  /** JSON documents and other files by their paths. */
  readonly files: Map<string, object | Uint8Array>;
  /** Answers in place of the files; returns false to let them answer. */
  intercept: ((path: string, response: ServerResponse) => boolean) | null;
  /** Requests wait for it. */
  opening: Promise<void>;
}

export async function startStaticServer(): Promise<StaticServer> {
  const files = new Map<string, object | Uint8Array>();
  const http = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", server.url).pathname);
    server.requests.push({ path, headers: request.headers });
    response.on("finish", () => server.statuses.push(response.statusCode));
    await server.opening;
    if (server.intercept?.(path, response) === true) return;
    const file = files.get(path);
    if (file instanceof Uint8Array) {
      answerFile(request.headers, response, { bytes: file });
      return;
    }
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const body = JSON.stringify(file);
    const etag = `"${createHash("md5").update(body).digest("hex")}"`;
    if (request.headers["if-none-match"] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { "content-type": "application/json", etag }).end(body);
  });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has an address with a port
  const { port } = http.address() as AddressInfo;
  const server: StaticServer = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    statuses: [],
    files,
    intercept: null,
    opening: Promise.resolve(),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => {
          resolve();
        });
      }),
  };
  return server;
}
