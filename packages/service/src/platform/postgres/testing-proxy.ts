import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Codes of the messages by which a PostgreSQL client runs a statement: Query and Execute. */
const QUERY = "Q".charCodeAt(0);
const EXECUTE = "E".charCodeAt(0);
const LENGTH_BYTES = 4;

/** An address of a database server that counts statements and can fall silent: connections stay open, carrying nothing. */
export interface TestProxy extends AsyncDisposable {
  readonly url: string;
  /** Statements so far, `begin` and `commit` too. */
  readonly statements: number;
  fallSilent(): void;
  speak(): void;
}

/** Listens in front of a PostgreSQL server. */
export async function testProxy(databaseUrl: string): Promise<TestProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isSilent = false;
  let statements = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    const countIn = messageReader((code) => {
      if (code === QUERY || code === EXECUTE) statements += 1;
    });
    client.on("data", countIn);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on("data", (bytes: Buffer) => to.write(bytes));
      if (isSilent) from.pause();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port to be had");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  return {
    url: url.href,
    get statements() {
      return statements;
    },
    fallSilent() {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    speak() {
      isSilent = false;
      for (const socket of sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Splits into messages what a client sends, and tells the code of each; the first message has none. */
function messageReader(onMessage: (code: number) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let codeBytes = 0;
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    while (rest.length >= codeBytes + LENGTH_BYTES) {
      const length = codeBytes + rest.readUInt32BE(codeBytes);
      if (rest.length < length) return;
      if (codeBytes === 1) onMessage(rest[0] ?? 0);
      rest = rest.subarray(length);
      codeBytes = 1;
    }
  };
}
