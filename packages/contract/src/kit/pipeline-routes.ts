import { Type } from "typebox";
import type { Static } from "typebox";
import { WarningsSchema } from "./schemas/warnings.ts";

/** 20 characters; knowing it grants access to the status of the pipeline. */
const PipelineId = Type.String({
  title: "PipelineId",
  description: "20 characters of [0-9A-Za-z]",
  minLength: 20,
  maxLength: 20,
});

/** Body of every `<path>/retrieve`. */
export const RetrieveRequest = Type.Object(
  {
    pipelineId: PipelineId,
    allowPartial: Type.Optional(
      Type.Boolean({ description: "return partial results before the end of the pipeline", default: false }),
    ),
  },
  { title: "RetrieveRequest" },
);
export type RetrieveRequest = Static<typeof RetrieveRequest>;

/** Answer of every `<path>/initiate`; an operation may add members. */
export const InitiateResponse = Type.Object(
  {
    pipelineId: PipelineId,
    status: Type.Literal("NEW"),
    nextTry: Type.Integer({
      description: "seconds until the first status request; 0 when the result is there or due",
      minimum: 0,
    }),
    warnings: Type.Optional(WarningsSchema),
  },
  { title: "InitiateResponse" },
);
export type InitiateResponse = Static<typeof InitiateResponse>;
