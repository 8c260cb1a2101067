import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection whose bytes a test writes and reads by itself. */
export interface RawConnection extends Disposable {
  readonly socket: Socket;
  readonly write: (text: string) => void;
  /** Everything received until the server closes the connection. */
  readonly closed: () => Promise<string>;
  /** Status line and headers of the next answer. */
  readonly head: () => Promise<string>;
}

export async function rawConnection(baseUrl: string): Promise<RawConnection> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  let received = "";
  // A reset by the server is an end as good as any.
  socket.on("error", () => {});
  const isClosed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
  });
  return {
    socket,
    write(text) {
      socket.write(text);
    },
    async closed() {
      await isClosed;
      return received;
    },
    async head() {
      while (!received.includes("\r\n\r\n")) {
        await Promise.race([once(socket, "data"), isClosed]);
        if (socket.destroyed) break;
      }
      return received;
    },
    [Symbol.dispose]() {
      socket.destroy();
    },
  };
}

/** Request line and headers of a POST whose body is to follow. */
export function postHead(path: string, contentLength: number, token?: string): string {
  const authorization = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
  return (
    `POST ${path} HTTP/1.1\r\nHost: swath.test\r\n${authorization}` +
    `Content-Type: application/json\r\nContent-Length: ${contentLength}\r\n\r\n`
  );
}
