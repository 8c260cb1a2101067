import { Agent, request as httpRequest } from "node:http";
import { performance } from "node:perf_hooks";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { FuzzRequest } from "./fuzz-request.ts";

/** An answer, or the reason why there is none. */
export interface FuzzAnswer {
  /** 0 where the connection ended before an answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as text; empty where it is long. */
  readonly text: string;
  readonly durationMs: number;
  readonly connectionError: string | null;
}

/** Enough for every JSON answer that the suite reads identifiers from. */
const KEPT_BYTES = 512 * 1024;

/** Connections of one client, kept open between requests. */
export function createAgent(connections: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: connections });
}

/** Characters that Node's client refuses in an address, as any other client sends them. */
function sendable(url: string): string {
  return url.replaceAll(/[^\u0021-\u007E]/gu, (character) => encodeURIComponent(character));
}

/** The body without its compression; null where it cannot be read. */
function decoded(body: Buffer, encoding: string | undefined): Buffer | null {
  if (body.length === 0 || encoding === undefined || encoding === "identity") return body;
  try {
    return encoding === "br" ? brotliDecompressSync(body) : gunzipSync(body);
  } catch {
    return null;
  }
}

interface Target {
  readonly baseUrl: string;
  readonly token: string | null;
  readonly agent: Agent;
  readonly timeoutMs: number;
}

/**
 * Sends the request and reads the whole answer. Sends it again where the service has closed an idle connection, as a
 * server may (RFC 9112, section 9.5). Never rejects.
 */
export async function sendRequest(request: FuzzRequest, target: Target): Promise<FuzzAnswer> {
  const { answer, reused } = await sendOnce(request, target);
  const isStale = reused && answer.status === 0 && /ECONNRESET|EPIPE|socket hang up/.test(answer.connectionError ?? "");
  return isStale ? (await sendOnce(request, { ...target, agent: createAgent(1) })).answer : answer;
}

interface Sent {
  readonly answer: FuzzAnswer;
  /** Whether the connection has served another request before. */
  readonly reused: boolean;
}

async function sendOnce(request: FuzzRequest, target: Target): Promise<Sent> {
  const { hostname, port } = new URL(target.baseUrl);
  const chunked = request.headers["transfer-encoding"] === "chunked";
  const headers: Record<string, string> = {
    ...(target.token === null ? {} : { authorization: `Bearer ${target.token}` }),
    ...request.headers,
    ...(request.body === null || chunked ? {} : { "content-length": String(request.body.length) }),
  };
  if (request.body === null) delete headers["transfer-encoding"];
  const startedMs = performance.now();
  return await new Promise<Sent>((resolve) => {
    const end = (known: Partial<FuzzAnswer>): void => {
      const durationMs = performance.now() - startedMs;
      const answer = { status: 0, headers: {}, text: "", connectionError: null, ...known, durationMs };
      resolve({ answer, reused: outgoing.reusedSocket });
    };
    const path = sendable(request.url);
    const outgoing = httpRequest({ hostname, port, path, method: request.method, headers, agent: target.agent });
    outgoing.setTimeout(target.timeoutMs, () => outgoing.destroy(new Error(`no answer in ${target.timeoutMs} ms`)));
    outgoing.on("error", (error) => end({ connectionError: error.message }));
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      let kept = 0;
      incoming.on("data", (chunk: Buffer) => {
        if (kept < KEPT_BYTES) chunks.push(chunk);
        kept += chunk.length;
      });
      const { statusCode: status = 0, headers: answered } = incoming;
      // A stream of events has no end to wait for.
      if (answered["content-type"]?.startsWith("text/event-stream") === true) {
        end({ status, headers: answered });
        incoming.destroy();
        return;
      }
      incoming.on("end", () => {
        const body =
          kept <= KEPT_BYTES ? decoded(Buffer.concat(chunks), answered["content-encoding"]) : Buffer.alloc(0);
        if (body === null) end({ status, headers: answered, connectionError: "it is not encoded as it says" });
        else end({ status, headers: answered, text: body.toString("utf8") });
      });
      incoming.on("error", (error) => end({ status, headers: answered, connectionError: error.message }));
    });
    outgoing.end(request.body ?? undefined);
  });
}
