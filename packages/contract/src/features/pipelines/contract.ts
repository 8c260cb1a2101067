import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";
import { CursorSchema, NextCursorSchema } from "../../kit/schemas/paging.ts";

const PipelineId = Type.String({
  pattern: "^[0-9A-Za-z]{20}$",
  description: "Identifier that initiate returned: 20 characters",
  examples: ["7Fq2mZr0KcXv9TbL4yNd"],
});

const Progress = Type.Object(
  {
    message: Type.Union(
      [
        Type.Literal("Unknown"),
        Type.Literal("Preparing analysis"),
        Type.Literal("Ordering data from provider"),
        Type.Literal("Waiting for provider data to become available"),
        Type.Literal("Downloading data from provider"),
        Type.Literal("Analyzing"),
        Type.Literal("Finalizing analysis"),
      ],
      { description: "Current work" },
    ),
    provider: Type.Optional(Type.String({ description: "Provider that the pipeline waits for" })),
    step: Type.Integer({ minimum: 0, maximum: 6, description: "Current step of 6; 0 before the first" }),
  },
  { description: "Progress of the pipeline" },
);

const utcInstant = (description: string) =>
  Type.String({ description: `${description}, ISO 8601 in UTC`, examples: ["2026-05-04T10:20:30.000Z"] });

const ListedPipeline = Type.Object(
  {
    pipelineId: PipelineId,
    operation: Type.String({
      description: "Path of the operation without `/initiate`; its `/retrieve` answers the result",
      examples: ["/mapsvc/release/geojson"],
    }),
    status: Type.Union(
      [Type.Literal("NEW"), Type.Literal("PROCESSING"), Type.Literal("RESOLVED"), Type.Literal("FAILED")],
      { description: "A cancelled pipeline is FAILED" },
    ),
    progress: Progress,
    attempt: Type.Optional(
      Type.Integer({
        minimum: 2,
        description:
          "Number of the attempt; absent for the first. A later one follows the death of a worker or an outage",
      }),
    ),
    created: utcInstant("Time of the initiate"),
    modified: utcInstant("Last change of status or progress"),
    finished: Type.Optional(utcInstant("Time of the end; absent while it runs")),
    result: Type.Union(
      [Type.Literal("pending"), Type.Literal("available"), Type.Literal("partial"), Type.Literal("none")],
      {
        description:
          "`partial`: with `allowPartial`, of a pipeline that runs or failed. `none`: failed without a part, or no " +
          "longer kept",
      },
    ),
    error: Type.Optional(
      Type.Object(
        { code: Type.String({ examples: ["PROCESSING-ERROR"] }), message: Type.String() },
        { description: "Cause of FAILED" },
      ),
    ),
  },
  { title: "ListedPipeline" },
);

const DEFAULT_LISTED = 50;

/** Operations on pipelines of every kind. */
export const pipelinesContract = {
  getStatus: defineOperation({
    path: "/tasking/get-status",
    access: "optional",
    summary: "Get the status and progress of a pipeline",
    description:
      "Repeat after `nextTry` seconds, or delay the answer with `waitSeconds` until the pipeline ends. Without " +
      "`waitSeconds` an early answer is delayed: by at most 250 ms within a second of the initiate, then by at most a " +
      "second within 250 ms of the last answer. The pipeline ID is the secret: no token is needed.",
    request: Type.Object({
      pipelineId: PipelineId,
      getProgress: Type.Optional(Type.Boolean({ default: false, description: "Whether to include `progress`" })),
      waitSeconds: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 30,
          default: 0,
          description: "Longest delay of the answer while the pipeline runs, seconds",
        }),
      ),
    }),
    response: Type.Object({
      status: Type.Union(
        [Type.Literal("NEW"), Type.Literal("PROCESSING"), Type.Literal("RESOLVED"), Type.Literal("FAILED")],
        { description: "A cancelled pipeline is FAILED" },
      ),
      modified: Type.String({
        description: "Last change of status or progress, ISO 8601 in UTC",
        examples: ["2026-05-04T10:20:30.000Z"],
      }),
      nextTry: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: "Seconds until the next request, 0 when the result is due; only while NEW or PROCESSING",
        }),
      ),
      position: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000,
          description: "Position in the queue, 1 for the next pipeline, 1,000 also for later ones; only while it waits",
        }),
      ),
      progress: Type.Optional(Progress),
    }),
    errors: ["NON-EXISTENT-PIPELINE"],
  }),
  cancel: defineOperation({
    path: "/tasking/cancel",
    access: "bearer",
    summary: "Stop a pipeline",
    description:
      "Allowed to the user who initiated it and to members of the same group. The pipeline becomes FAILED " +
      "with PIPELINE-CANCELLED. Cancelling it again is no error.",
    request: Type.Object({ pipelineId: PipelineId }),
    response: Type.Object({ status: Type.Literal("FAILED") }),
    errors: ["NON-EXISTENT-PIPELINE", "ILLEGAL-STATE-TRANSITION"],
  }),
  list: defineOperation({
    path: "/tasking/list-pipelines",
    access: "bearer",
    summary: "List the pipelines of the caller, newest first",
    description: "Pipelines of other users are never listed, also of the same group.",
    request: Type.Object({
      status: Type.Optional(
        Type.Union([Type.Literal("PROCESSING"), Type.Literal("RESOLVED"), Type.Literal("FAILED")], {
          description: "Only these; PROCESSING includes NEW",
        }),
      ),
      includeQuick: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether to list searches, dry runs and pairings too, which end within seconds",
        }),
      ),
      cursor: Type.Optional(CursorSchema),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 200, default: DEFAULT_LISTED, description: "Most pipelines of a page" }),
      ),
    }),
    response: Type.Object({ results: Type.Array(ListedPipeline), cursor: NextCursorSchema }),
    errors: ["INVALID-CURSOR"],
  }),
} satisfies FeatureContract;
