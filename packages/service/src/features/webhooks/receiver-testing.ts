import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedEvent {
  readonly id: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- events of every shape
  readonly body: any;
}

/** A server that takes webhooks. */
export interface Receiver extends AsyncDisposable {
  readonly origin: string;
  readonly received: ReceivedEvent[];
  /** Status of the next answers; a promise holds them back. */
  answer: (event: ReceivedEvent) => number | Promise<number>;
}

export async function testReceiver(): Promise<Receiver> {
  const received: ReceivedEvent[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString("utf8");
      const { headers, url = "" } = request;
      const event = { id: String(headers["webhook-id"]), path: url, headers, text, body: JSON.parse(text) };
      received.push(event);
      const status = await receiver.answer(event);
      response.writeHead(status, { location: "/elsewhere" }).end();
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: () => 204,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<unknown>((resolve) => void server.close(resolve));
    },
  };
  return receiver;
}

/** Number of signatures of a message, and whether one of them is of this secret, as a receiver verifies it. */
export function verified({ headers, id, text }: ReceivedEvent, secret: string): { count: number; ok: boolean } {
  const given = String(headers["webhook-signature"]).split(" ");
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${id}.${String(headers["webhook-timestamp"])}.${text}`;
  const expected = createHmac("sha256", key).update(signed).digest("base64");
  return { count: given.length, ok: given.includes(`v1,${expected}`) };
}
