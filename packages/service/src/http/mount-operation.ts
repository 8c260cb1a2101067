import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, RouteHandlerMethod } from "fastify";
import { hasBody as hasMethodBody, type Operation, type UnknownMembers } from "@swath/contract/kit/operation";
import { addressesOf } from "@swath/contract/kit/dialect";
import { bodyCost, workCost, type RequestWork } from "@swath/contract/kit/request-cost";
import { giveWayToLight, loopShare } from "@swath/base/concurrency/loop-share";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { collectWarnings, type RequestWarning } from "../platform/request-warnings.ts";
import { dropAbsentNulls } from "./absent-nulls.ts";
import { LARGE_BODY_BYTES } from "./body-parsers.ts";
import { derivationsOf, dynamicPermissions, requirePermissions } from "./admission.ts";
import type { Derivation } from "./admission.ts";
import { admittedOf, admitBeforeBody, shareOf } from "./admit-before-body.ts";
import { headerReader } from "./declared-headers.ts";
import { charge } from "./meter.ts";
import { answerCheck, sendJson } from "./mount.ts";
import type { JsonHandler, Mounting } from "./mount.ts";
import { requestContext } from "./request-context.ts";
import { unknownMembers } from "./unknown-members.ts";
import { AnswerWithHeaders } from "../platform/answer-with-headers.ts";
import { Created } from "../platform/created.ts";
import { KeptJson } from "../platform/kept-json.ts";
import { schemaCheck } from "../platform/json/schema-check.ts";
import { SentFile } from "../platform/sent-file.ts";
import { sendFile } from "./send-file.ts";
import { sendKept } from "./send-kept.ts";
import { readTexts } from "./text-values.ts";
import { awaitKeptBody } from "./traffic/await-body.ts";
import { workOn } from "./traffic/work.ts";

/** The parts of an operation that its route needs. */
export type JsonRoute = Pick<
  Operation,
  "method" | "path" | "access" | "permissions" | "request" | "response" | "bodyLimitBytes" | "rateClass"
> & {
  readonly dynamicPermissions: ((request: never) => readonly string[]) | null;
  readonly work: RequestWork<never>;
  readonly unknownMembers: UnknownMembers<never>;
} & Partial<Pick<Operation, "created" | "headers" | "mediaType" | "refusal">>;

/**
 * Adds the route of a synchronous operation. Address and method were checked on the way here. The order of the other
 * checks is announced size, token, rate, static permissions, size, JSON, permissions by content, schema, operation. A
 * request pays one token, then for its body, then for its work.
 */
export function mountOperation(
  mounting: Mounting,
  route: JsonRoute,
  handler: JsonHandler,
  content: Derivation | null = null,
): void {
  const { app, config, traffic } = mounting;
  const { refusal = "VALIDATION-ERROR" } = route;
  const mediaType = route.mediaType === "application/json" ? null : route.mediaType;
  const check = schemaCheck(route.request);
  const checkAnswer = answerCheck(route.response, config);
  const readHeaders = headerReader(route.headers ?? {});
  const derivations = derivationsOf(route, content);
  // Its request is the one that the schema has checked.
  const work = route.work as RequestWork<unknown>;
  const handle: RouteHandlerMethod = async (request, reply) => {
    const { caller, meter } = admittedOf(request);
    const isLarge = request.bodyBytes >= LARGE_BODY_BYTES;
    const loop = loopShare();
    let input: unknown;
    if (!hasMethodBody(route.method)) {
      input = readTexts(route.request, { ...textsOf(request.query), ...textsOf(request.params) });
    } else {
      // The framework's body of a request without one says nothing: it must not be read as JSON null.
      input = hasBody(request.headers) ? request.body : {};
      dropAbsentNulls(route.request, input);
      if (isRecord(input)) input = { ...input, ...textsOf(request.params) };
    }
    charge(meter, bodyCost(request.bodyBytes, input));
    if (isLarge) await giveWayToLight(loop);
    const wellFormed = check.accepts(input);
    requirePermissions(caller, dynamicPermissions(derivations, input, wellFormed));
    if (!wellFormed)
      throw invalid(refusal, check.explain(input, Number(request.headers["content-length"] ?? Infinity)));
    const unknown = unknownMembers(route.request, hasMethodBody(route.method) ? request.body : textsOf(request.query));
    if (unknown.length > 0 && verdictOn(route.unknownMembers as UnknownMembers<unknown>, input) === "refuse") {
      throw invalid(refusal, unknown);
    }
    const headers = readHeaders(request.headers);
    charge(meter, workCost(work, input));
    const warnings = [...unknown];
    if (isLarge) await giveWayToLight(loop);
    const handled = await workOn(traffic, shareOf(request), reply, async (place) => {
      const context = Object.assign(requestContext(request, reply, caller, place, mounting), { headers });
      return await collectWarnings(warnings, () => handler(input, context));
    });
    if (handled instanceof SentFile) {
      sendFile(request, reply, handled.answer);
      return reply;
    }
    const answer = handled instanceof AnswerWithHeaders ? handled.value : handled;
    checkAnswer(answer, route.path);
    if (handled instanceof AnswerWithHeaders) reply.headers(handled.headers);
    if (answer instanceof KeptJson && (answer.isList || warnings.length === 0)) {
      warnByHeader(warnings, reply);
      await sendKept(request, reply, answer);
    } else if (handled instanceof Created) {
      reply.code(201);
      await sendJson(reply, withWarnings(answer, warnings, reply), route.created?.mediaType);
    } else {
      const value = answer instanceof KeptJson ? answer.value : answer;
      await sendJson(reply, withWarnings(value, warnings, reply), mediaType);
    }
    return reply;
  };
  for (const url of addressesOf(route.path)) {
    mounting.routes.add(url, [route.method]);
    app.route({
      method: route.method,
      url,
      bodyLimit: route.bodyLimitBytes,
      onRequest: admitBeforeBody(route, mounting),
      preParsing: awaitKeptBody(traffic, route.bodyLimitBytes, shareOf),
      handler: handle,
    });
  }
}

/** Clients read headers of at most 16 kB. */
const WARNINGS_IN_HEADER = 5;

function verdictOn(rule: UnknownMembers<unknown>, request: unknown): "refuse" | "warn" {
  return typeof rule === "function" ? rule(request) : rule;
}

/** The answer with its warnings; those of an answer that is no object are in the header `Request-Warnings`. */
function withWarnings(answer: unknown, warnings: readonly RequestWarning[], reply: FastifyReply): unknown {
  if (warnings.length === 0) return answer;
  if (isRecord(answer)) return { ...answer, warnings };
  warnByHeader(warnings, reply);
  return answer;
}

function warnByHeader(warnings: readonly RequestWarning[], reply: FastifyReply): void {
  if (warnings.length === 0) return;
  reply.header("request-warnings", encodeURI(JSON.stringify(warnings.slice(0, WARNINGS_IN_HEADER))));
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** As many as a sentence holds; `details` has them all. */
const FAULTS_IN_MESSAGE = 3;

function invalid(
  code: Operation["refusal"],
  details: readonly { readonly path: string; readonly message: string }[],
): ServiceError {
  const told = details
    .slice(0, FAULTS_IN_MESSAGE)
    .map(({ path, message }) => `${path === "" ? "The request" : path} ${message}`)
    .join("; ");
  const more = details.length - FAULTS_IN_MESSAGE;
  return new ServiceError(code, more > 0 ? `${told}; and ${more} more, see details` : told, { details });
}

/** Query and parameters as the framework parsed them. */
export function textsOf(parsed: unknown): Readonly<Record<string, string | readonly string[]>> {
  return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
}
