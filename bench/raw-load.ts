import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** How a load went. */
export interface RawLoad {
  readonly requestsPerSecond: number;
  readonly requests: number;
}

/** A request that is sent again and again; GET without a body. */
export interface RepeatedRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON of a POST. */
  readonly body?: string;
}

/**
 * Sends one request over and over on kept connections. Answers are counted by their bytes and not parsed, since a
 * client that takes them apart would need more of the processor than the service: every answer must be 200 and as long
 * as it announces.
 */
export async function rawLoad(repeated: RepeatedRequest, connections: number, seconds: number): Promise<RawLoad> {
  const { hostname, port } = new URL(repeated.url);
  const request = textOf(repeated);
  let done = 0;
  let failure: Error | null = null;
  const sockets: Socket[] = [];
  for (let i = 0; i < connections; i++) {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    await once(socket, "connect");
    let expected = 0;
    let seen = 0;
    socket.on("data", (chunk: Buffer) => {
      if (seen === 0) {
        const head = chunk.subarray(0, chunk.indexOf("\r\n\r\n") + 4).toString("latin1");
        const length = /content-length: (\d+)/i.exec(head)?.[1];
        if (!head.startsWith("HTTP/1.1 200") || length === undefined) failure = new Error(head);
        expected = head.length + Number(length);
      }
      seen += chunk.length;
      if (seen < expected) return;
      if (seen > expected) failure = new Error(`${seen} bytes came where ${expected} were announced`);
      seen = 0;
      done++;
      socket.write(request);
    });
    socket.on("error", (error) => {
      failure = error;
    });
  }
  for (const socket of sockets) socket.write(request);
  const startedMs = performance.now();
  await wait(seconds * 1000);
  const requests = done;
  const elapsedS = (performance.now() - startedMs) / 1000;
  for (const socket of sockets) socket.destroy();
  if (failure !== null) throw failure;
  return { requestsPerSecond: requests / elapsedS, requests };
}

function textOf({ url, headers = {}, body }: RepeatedRequest): string {
  const { pathname, search, host } = new URL(url);
  const bodyHeaders =
    body === undefined ? {} : { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: host, ...headers, ...bodyHeaders }).map(([name, value]) => `${name}: ${value}`);
  const method = body === undefined ? "GET" : "POST";
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
