import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import Fastify, { type FastifyReply } from "fastify";
import type { RequestContext } from "../platform/context.ts";
import { DEFAULT_HTTP_CONFIG } from "./http-config.ts";
import { createCancellation, requestContext } from "./request-context.ts";

const CALLER = {
  kind: "user",
  userId: "u",
  groupId: "g",
  email: "a@b.example",
  permissions: new Set<string>(),
} as const;

test("the context of a request has no getters of its own, which the engine would keep with the request", async () => {
  await using app = Fastify();
  const deps = { config: DEFAULT_HTTP_CONFIG, cancellation: createCancellation() };
  const contexts: RequestContext[] = [];
  app.get("/", async (request, reply) => {
    contexts.push(requestContext(request, reply, CALLER, { beginWait: () => null }, deps));
    return {};
  });
  await app.inject("/");
  const members = contexts.flatMap((context) => Object.entries(Object.getOwnPropertyDescriptors(context)));
  assert.ok(members.length > 4);
  for (const [name, descriptor] of members) assert.ok("value" in descriptor, name);
});

test("the signal of a client that has gone is aborted, and nothing waits for its end", () => {
  const raw = new ServerResponse(new IncomingMessage(new Socket()));
  raw.destroy();
  const before = raw.listenerCount("close");
  const signal = createCancellation().signalFor({ raw } as FastifyReply);
  assert.match(String(signal.reason), /the client went away/);
  assert.equal(raw.listenerCount("close"), before);
});
