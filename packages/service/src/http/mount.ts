import type { FastifyInstance, FastifyReply } from "fastify";
import type { TSchema } from "typebox";
import type { Db, RequestContext } from "../platform/context.ts";
import { KeptJson } from "../platform/kept-json.ts";
import type { Log } from "@swath/base/log/log";
import type { Authenticator, Rates } from "./admission.ts";
import type { HttpConfig } from "./http-config.ts";
import type { StorageWatch } from "../platform/storage/storage-watch.ts";
import type { PipelineGate } from "./pipeline-gate.ts";
import type { Cancellation } from "./request-context.ts";
import type { RouteTable } from "./route-table.ts";
import type { Traffic } from "./traffic/traffic.ts";
import { schemaCheck } from "../platform/json/schema-check.ts";

/** What mounting a declaration takes. */
export interface Mounting {
  readonly app: FastifyInstance;
  readonly routes: RouteTable;
  readonly identity: Authenticator;
  readonly rates: Rates;
  readonly traffic: Traffic;
  readonly cancellation: Cancellation;
  readonly config: HttpConfig;
  readonly db: Db;
  readonly pipelines: PipelineGate;
  readonly storage: Pick<StorageWatch, "require">;
  readonly log: Log;
}

export type JsonHandler = (request: unknown, context: RequestContext) => Promise<unknown>;

/** Refuses to send an answer that its own schema does not accept; does nothing when answers are not checked. */
export type AnswerCheck = (answer: unknown, path: string) => void;

export function answerCheck(schema: TSchema, config: HttpConfig): AnswerCheck {
  if (!config.validateResponses) return () => {};
  const check = schemaCheck(schema);
  return (answer, path) => {
    const value = answer instanceof KeptJson ? answer.value : answer;
    if (check.accepts(value)) return;
    const faults = check.explain(value, 0).map((fault) => `${fault.path} ${fault.message}`);
    throw new Error(`the answer of ${path} breaks its schema: ${faults.join("; ")}`);
  };
}

export async function sendJson(reply: FastifyReply, answer: unknown, mediaType: string | null = null): Promise<void> {
  const text = JSON.stringify(answer);
  // The framework adds a parameter to the media type of texts; suites of dialects compare the whole type.
  if (mediaType === null) await reply.type("application/json; charset=utf-8").send(text);
  else await reply.header("content-type", mediaType).send(Buffer.from(text));
}
