import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineOperation } from "../../kit/operation.ts";

const PipelineId = Type.String({
  pattern: "^[0-9A-Za-z]{20}$",
  description: "Identifier that initiate answered with: 20 characters",
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
      { description: "What is being done" },
    ),
    provider: Type.Optional(Type.String({ description: "Provider that is waited for" })),
    step: Type.Integer({ minimum: 0, maximum: 6, description: "Step of 6 that is being done; 0 before the first" }),
  },
  { description: "How far the pipeline has come" },
);

/** Operations on pipelines of every kind. */
export const pipelinesContract = {
  getStatus: defineOperation({
    path: "/tasking/get-status",
    access: "optional",
    summary: "Status and progress of a pipeline",
    description:
      "Ask again after `nextTry` seconds, or let `waitSeconds` hold the answer back until the pipeline ends. " +
      "The pipeline ID is the secret: no token is needed.",
    request: Type.Object({
      pipelineId: PipelineId,
      getProgress: Type.Optional(Type.Boolean({ default: false, description: "Whether to answer with `progress`" })),
      waitSeconds: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 30,
          default: 0,
          description: "Longest time to hold the answer back while the pipeline has not ended, seconds",
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
        Type.Integer({ minimum: 1, description: "Seconds to wait before asking again; only while NEW or PROCESSING" }),
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
      "For the user who initiated it and others of the same group. The pipeline then is FAILED with PIPELINE-CANCELLED; " +
      "cancelling it again is not an error.",
    request: Type.Object({ pipelineId: PipelineId }),
    response: Type.Object({ status: Type.Literal("FAILED") }),
    errors: ["NON-EXISTENT-PIPELINE", "ILLEGAL-STATE-TRANSITION"],
  }),
} satisfies FeatureContract;
