import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Codes of the messages by which a PostgreSQL client runs a statement: Query and Execute. */
const QUERY = "Q".charCodeAt(0);
const EXECUTE = "E".charCodeAt(0);
const LENGTH_BYTES = 4;

/** A database address that counts the statements sent through it, `begin` and `commit` too. */
export interface StatementCounter extends AsyncDisposable {
  readonly url: string;
  /** Statements so far. */
  readonly statements: number;
}

/** Listens in front of a PostgreSQL server. */
export async function countStatements(databaseUrl: string): Promise<StatementCounter> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let statements = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    const countIn = messageReader((code) => {
      if (code === QUERY || code === EXECUTE) statements += 1;
    });
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (bytes: Buffer) => {
      countIn(bytes);
      upstream.write(bytes);
    });
    upstream.on("data", (bytes: Buffer) => client.write(bytes));
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
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Splits what a client sends into messages and tells the code of each; the first message has none. */
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
