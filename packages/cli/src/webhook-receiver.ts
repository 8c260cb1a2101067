import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** An event as a webhook delivers it. */
interface DeliveredEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A server on this machine that takes the deliveries of one webhook. */
export interface WebhookReceiver extends AsyncDisposable {
  /** Address without a path. */
  readonly url: string;
  /** Deliveries are refused until their secret is known. */
  trust(secret: string): void;
  /** Each event once, in the order of arrival. */
  readonly events: readonly DeliveredEvent[];
}

const MAX_BODY_BYTES = 1024 * 1024;

/** Accepts deliveries whose signature holds, by Standard Webhooks; all others are answered with 401. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const events = new Map<string, DeliveredEvent>();
  let key: Buffer | null = null;
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { "webhook-id": id = "" } = request.headers;
      const isSigned = key !== null && body !== null && isSignatureOf(key, request, body);
      if (isSigned) events.set(String(id), { id: String(id), ...(JSON.parse(body) as Omit<DeliveredEvent, "id">) });
      response.writeHead(isSigned ? 204 : 401).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    trust(secret) {
      key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    },
    get events() {
      return [...events.values()];
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Null when the body is too long or cut. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      size += piece.byteLength;
      if (size > MAX_BODY_BYTES) return null;
      pieces.push(piece);
    }
  } catch {
    return null;
  }
  return Buffer.concat(pieces).toString();
}

/** @see https://www.standardwebhooks.com, "Signature scheme" */
function isSignatureOf(key: Buffer, { headers }: IncomingMessage, body: string): boolean {
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const expected = createHmac("sha256", key).update(signed).digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .some((signature) => {
      const got = Buffer.from(signature.replace(/^v1,/, ""), "base64");
      return got.byteLength === expected.byteLength && timingSafeEqual(got, expected);
    });
}
