import { ERROR_CODES } from "@swath/kernel/errors/error-code";
import type { FuzzRequest } from "./fuzz-request.ts";
import type { FuzzAnswer } from "./send-request.ts";

const CODES: ReadonlySet<string> = new Set(ERROR_CODES);

/** Beginning of an answer, for a report. */
const SHOWN_CHARACTERS = 300;

/** The fault of an answer in words; null for an answer that any client can work with. */
export function faultOf(request: FuzzRequest, answer: FuzzAnswer, limitMs: number): string | null {
  const shown = answer.text.slice(0, SHOWN_CHARACTERS);
  if (answer.status >= 500) return `answered ${answer.status} ${shown}`;
  if (answer.durationMs > limitMs) return `took ${Math.round(answer.durationMs)} ms, expected at most ${limitMs}`;
  // A service that refuses a body may end the connection while the body is still on its way.
  if (answer.status === 0) return isCutOff(request, answer) ? null : `no answer: ${answer.connectionError}`;
  if (answer.connectionError !== null) return `the answer ${answer.status} broke off: ${answer.connectionError}`;
  if (answer.headers["request-id"] === undefined) return `answered ${answer.status} without Request-Id`;
  if (answer.status < 400 || request.method === "HEAD") return null;
  const code = errorCode(answer.text);
  if (code === null) return `answered ${answer.status} without a stable code: ${shown}`;
  return null;
}

const LARGE_BODY_BYTES = 64 * 1024;

function isCutOff({ body }: FuzzRequest, { connectionError }: FuzzAnswer): boolean {
  return (body?.length ?? 0) > LARGE_BODY_BYTES && /EPIPE|ECONNRESET|socket hang up/.test(connectionError ?? "");
}

/** The code of an error answer: of the table, or of RFC 6749 from the identity provider. */
function errorCode(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== "object" || body === null) return null;
    const code: unknown = Reflect.get(body, "error");
    const message: unknown = Reflect.get(body, "errorMessage") ?? Reflect.get(body, "error_description");
    if (typeof code !== "string" || typeof message !== "string") return null;
    return CODES.has(code) || /^[a-z_]+$/.test(code) ? code : null;
  } catch {
    return null;
  }
}
