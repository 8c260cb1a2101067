import type { FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import type { FileRoute } from "@swath/contract/kit/file-route";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { FileRequest, RequestContext } from "../platform/context.ts";
import type { FileAnswer } from "../platform/sent-file.ts";
import { derivationsOf, dynamicPermissions, requirePermissions } from "./admission.ts";
import type { Derivation } from "./admission.ts";
import { admittedOf, admitBeforeBody, shareOf } from "./admit-before-body.ts";
import type { Mounting } from "./mount.ts";
import { textsOf } from "./mount-operation.ts";
import { requestContext } from "./request-context.ts";
import { schemaCheck } from "../platform/json/schema-check.ts";
import { sendFile } from "./send-file.ts";
import { readTexts } from "./text-values.ts";
import { paceStreamedBody } from "./traffic/await-body.ts";
import { workOn, workWithoutPlace, type Work } from "./traffic/work.ts";

export type FileHandler = (
  request: FileRequest<Record<string, unknown>, Record<string, unknown>>,
  context: RequestContext,
) => Promise<FileAnswer>;

/**
 * Adds a route of bytes. Parameters of the path that do not fit their schema mean that there is nothing at that
 * address (404); a query that does not is a bad request (400).
 */
export function mountFileRoute(
  mounting: Mounting,
  declaration: FileRoute,
  handler: FileHandler,
  content: Derivation | null = null,
): void {
  const { app, traffic } = mounting;
  const checkParams = schemaCheck(declaration.params);
  const checkQuery = schemaCheck(declaration.query);
  const derivations = derivationsOf(declaration, content);
  const methods = declaration.method === "GET" ? ["GET", "HEAD"] : [declaration.method];
  mounting.routes.add(declaration.path, methods);
  app.route({
    method: methods,
    url: declaration.path,
    exposeHeadRoute: false,
    // Tiles are compressed already, and the entity tag belongs to these very bytes.
    compress: false,
    onRequest: admitBeforeBody({ ...declaration, bodyLimitBytes: Infinity }, mounting),
    preParsing: paceStreamedBody(traffic),
    handler: async (request, reply) => {
      const { caller } = admittedOf(request);
      const params = readTexts(declaration.params, textsOf(request.params));
      const query = readTexts(declaration.query, textsOf(request.query));
      const found = checkParams.accepts(params);
      const asked = checkQuery.accepts(query);
      requirePermissions(caller, dynamicPermissions(derivations, { ...params, ...query }, found && asked));
      if (!found) throw new ServiceError("NON-EXISTENT-ENDPOINT", "There is nothing at this address");
      if (!asked) {
        const details = checkQuery.explain(query, 0);
        const text = details.map((fault) => `${fault.path.slice(1)} ${fault.message}`).join("; ");
        throw new ServiceError("BAD-REQUEST", `Bad query: ${text}`, { details });
      }
      const isPut = declaration.method === "PUT";
      const share = shareOf(request);
      const input = { params, query, headers: textHeaders(request), body: isPut ? bodyOf(request) : null };
      const answerWith = (work: Work): Promise<FileAnswer> =>
        handler(input, requestContext(request, reply, caller, work, mounting));
      // A place would be held for as long as the body takes.
      const answer = await (isPut
        ? workWithoutPlace(traffic, share, answerWith)
        : workOn(traffic, share, reply, answerWith));
      sendFile(request, reply, answer);
      return reply;
    },
  });
}

/** A PUT without a body has none to parse: an empty stream stands for it. */
function bodyOf(request: FastifyRequest): Readable {
  return request.body instanceof Readable ? request.body : Readable.from([]);
}

function textHeaders(request: FastifyRequest): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}
