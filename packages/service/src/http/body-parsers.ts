import type { FastifyInstance, FastifyRequest } from "fastify";
import { isUtf8 } from "node:buffer";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { MAX_JSON_DEPTH, parseInSteps, requireDepth, requireStorable } from "../platform/json/parse-in-steps.ts";

/** Subject of refusals. */
const BODY = "The body";
/** A larger body takes longer than a millisecond to parse, and as long to check: it gives way to others. */
export const LARGE_BODY_BYTES = 128 * 1024;

declare module "fastify" {
  interface FastifyRequest {
    /** Bytes of the body that was read, after decompression; 0 without one. */
    bodyBytes: number;
  }
}

/** Takes JSON bodies only; an absent or empty body of any type is `{}`. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.decorateRequest("bodyBytes", 0);
  app.removeAllContentTypeParsers();
  for (const type of ["application/json", /^application\/[\w.-]+\+json(;|$)/]) {
    app.addContentTypeParser(type, { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) => {
      request.bodyBytes = body.length;
      return body.length < LARGE_BODY_BYTES ? parseJson(body) : ((await parseInSteps(body, BODY)) ?? parseJson(body));
    });
  }
  // Read before it is refused, so that 413 comes before the content type and an empty body needs none.
  app.addContentTypeParser<Buffer>("*", { parseAs: "buffer" }, (request, body, done) => {
    if (body.length === 0) {
      done(null, {});
      return;
    }
    const type = request.headers["content-type"] ?? "none";
    done(new ServiceError("BAD-CONTENT-TYPE", `Got the content type "${type}", expected application/json`));
  });
}

/** Takes JSON and form bodies, as token requests do. */
export function acceptTokenBodies(app: FastifyInstance): void {
  acceptJsonBodies(app);
  app.addContentTypeParser<string>(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(body)));
    },
  );
}

/** Hands every body to the handler as an unread stream. */
export function acceptStreams(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
}

/** @throws {ServiceError} BAD-REQUEST */
function parseJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  if (exceedsDepth(body, MAX_JSON_DEPTH)) requireDepth(MAX_JSON_DEPTH + 1, BODY);
  if (!isUtf8(body)) throw new ServiceError("BAD-REQUEST", "The body is not UTF-8");
  const text = body.toString("utf8");
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ServiceError("BAD-REQUEST", "The body is not JSON", { cause });
  }
  requireStorable(value, text, BODY);
  return value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

function exceedsDepth(body: Buffer, limit: number): boolean {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < body.length; i += 1) {
    const byte = body[i];
    if (inText) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === OPENING[0] || byte === OPENING[1]) {
      depth += 1;
      if (depth > limit) return true;
    } else if (byte === CLOSING[0] || byte === CLOSING[1]) depth -= 1;
  }
  return false;
}
