import { Readable } from "node:stream";
import { Type } from "typebox";
import type { FeatureContract } from "@swath/contract/kit/contract";
import { defineFileRoute } from "@swath/contract/kit/file-route";
import { defineOperation } from "@swath/contract/kit/operation";
import { definePipeline } from "@swath/contract/kit/pipeline-operation";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Handlers } from "../platform/context.ts";

/** A small contract with one declaration of each kind, for the tests of the server and of the client. */
const sampleFeature = {
  echo: defineOperation({
    path: "/sample/echo",
    unknownMembers: ({ limit }) => (limit === 1 ? "refuse" : "warn"),
    summary: "Answers what it was asked",
    permissions: ["sample.echo"],
    dynamicPermissions: (request) => request.items?.map((item) => `sample.items.${item.kind}`) ?? [],
    request: Type.Object({
      text: Type.Optional(Type.String({ maxLength: 20 })),
      limit: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
      items: Type.Optional(
        Type.Array(Type.Object({ kind: Type.String(), note: Type.Optional(Type.String()) }), { maxItems: 3 }),
      ),
    }),
    response: Type.Object({ received: Type.Unknown(), userId: Type.String(), baseUrl: Type.String() }),
    bodyLimitBytes: 2048,
  }),
  fail: defineOperation({
    path: "/sample/fail",
    summary: "Fails as it is told to",
    access: "public",
    request: Type.Object({ how: Type.Enum(["conflict", "crash", "schema"]) }),
    response: Type.Object({ done: Type.Literal(true) }),
    errors: ["CONFLICT"],
  }),
  greet: defineOperation({
    method: "GET",
    path: "/sample/greet/:name",
    summary: "Greets",
    access: "optional",
    request: Type.Object({ name: Type.String(), times: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })) }),
    response: Type.Object({ greeting: Type.String() }),
  }),
  personal: defineOperation({
    path: "/sample/personal",
    summary: "For users only",
    access: "user",
    request: Type.Object({ id: Type.String({ minLength: 1 }) }),
    response: Type.Object({ id: Type.String() }),
  }),
  wait: defineOperation({
    path: "/sample/wait",
    summary: "Answers when the test says so, or at once when it may not wait",
    access: "optional",
    request: Type.Object({}),
    response: Type.Object({ waited: Type.Boolean() }),
  }),
  work: definePipeline({
    path: "/sample/work",
    summary: "Adds up",
    permissions: ["sample.work"],
    request: Type.Object({ numbers: Type.Array(Type.Number(), { minItems: 1 }) }),
    result: Type.Object({ sum: Type.Number() }),
    partialResult: Type.Object({ sumSoFar: Type.Number() }),
    emptyResult: { sum: 0 },
    errors: ["EXTENT-TOO-LARGE"],
    work: { maps: ({ numbers }) => 10 * numbers.length },
  }),
  whole: definePipeline({
    path: "/sample/whole",
    summary: "Adds up, without partial results",
    permissions: ["sample.work"],
    request: Type.Object({}),
    result: Type.Object({ sum: Type.Number() }),
  }),
  file: defineFileRoute({
    path: "/sample/files/:name/:z",
    summary: "A file",
    access: "optional",
    dynamicPermissions: ({ whole }) => (whole === true || whole === 1 ? ["sample.whole"] : []),
    params: Type.Object({ name: Type.String({ pattern: "^[a-z]+$" }), z: Type.Integer({ minimum: 0, maximum: 30 }) }),
    query: Type.Object({
      whole: Type.Optional(Type.Union([Type.Integer(), Type.Boolean()])),
      threshold: Type.Optional(Type.Number({ minimum: -1, maximum: 1 })),
    }),
    mediaTypes: ["application/octet-stream"],
    statuses: { 200: "The file", 304: "Unchanged", 404: "No such file" },
  }),
  put: defineFileRoute({
    method: "PUT",
    path: "/sample/uploads/:id",
    summary: "Takes a file",
    access: "public",
    params: Type.Object({ id: Type.String() }),
    query: Type.Object({}),
    mediaTypes: ["application/octet-stream"],
    statuses: { 200: "Taken" },
  }),
} as const satisfies FeatureContract;

export const sampleContract = { sample: sampleFeature } as const;

const FILE = new TextEncoder().encode("0123456789".repeat(300));

export function nothingSeen(): SampleSeen {
  return {
    uploadedBytes: -1,
    aborted: Promise.withResolvers(),
    released: Promise.withResolvers(),
    endlessBytes: 0,
    endlessEnded: Promise.withResolvers(),
  };
}

async function* endless(seen: SampleSeen): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      seen.endlessBytes += FILE.length;
      yield FILE;
    }
  } finally {
    seen.endlessEnded.resolve();
  }
}

/** What the handlers of the sample saw, for tests to look at. */
export interface SampleSeen {
  /** Bytes that came with the last PUT. */
  uploadedBytes: number;
  readonly aborted: PromiseWithResolvers<void>;
  /** Ends what waits. */
  readonly released: PromiseWithResolvers<void>;
  /** Bytes that the endless file has sent. */
  endlessBytes: number;
  readonly endlessEnded: PromiseWithResolvers<void>;
}

export function sampleHandlers(seen: SampleSeen): { sample: Handlers<typeof sampleFeature> } {
  return {
    sample: {
      echo: async (received, { caller, baseUrl }) => ({ received, userId: caller.userId, baseUrl }),
      fail: async ({ how }) => {
        if (how === "conflict") throw new ServiceError("CONFLICT", "got one, expected none");
        if (how === "crash") throw new Error("secret connection string");
        return JSON.parse('{"done": false}');
      },
      greet: async ({ name, times }, { caller }) => ({
        greeting: `${"Hello ".repeat(times ?? 1)}${name}${caller.kind === "user" ? "!" : ""}`,
      }),
      personal: async ({ id }) => ({ id }),
      wait: async (_request, { beginWait }) => {
        using wait = beginWait();
        if (wait !== null) await seen.released.promise;
        return { waited: wait !== null };
      },
      work: {
        admit: async ({ numbers }) => {
          if (numbers.length > 10) throw new ServiceError("EXTENT-TOO-LARGE", "got more than 10 numbers");
          return { subGeometryId: "sub" };
        },
        run: async ({ numbers }) => ({ result: { sum: numbers.reduce((sum, value) => sum + value, 0) } }),
      },
      whole: { run: async () => ({ result: { sum: 0 } }) },
      file: async ({ params, query, headers }, { signal }) => {
        if (params.name === "missing") throw new ServiceError("TILE-NOT-FOUND", "There is no such tile");
        if (params.name === "slow") {
          signal.addEventListener("abort", () => seen.aborted.resolve());
          await seen.aborted.promise;
        }
        if (params.name === "held") await seen.released.promise;
        if (headers["if-none-match"] === '"tag"') return { status: 304, body: null, headers: { etag: '"tag"' } };
        const answer = { status: 200, mediaType: "application/octet-stream", headers: { etag: '"tag"' } };
        if (params.name === "stream") return { ...answer, body: Readable.from([FILE]), contentLength: FILE.length };
        if (params.name === "endless") return { ...answer, body: Readable.from(endless(seen)) };
        return { ...answer, body: FILE.subarray(0, query.threshold === undefined ? params.z : 1) };
      },
      put: async ({ body }) => {
        seen.uploadedBytes = 0;
        if (body !== null) for await (const chunk of body) seen.uploadedBytes += Buffer.from(chunk).length;
        return { status: 200, mediaType: "application/json", body: new TextEncoder().encode("{}") };
      },
    },
  };
}
