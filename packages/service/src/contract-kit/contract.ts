import type { FileRoute } from "./file-route.ts";
import type { Operation } from "./operation.ts";
import type { PipelineOperation } from "./pipeline-operation.ts";

/** Anything a feature can declare. */
// oxlint-disable-next-line typescript/no-explicit-any -- the erased form must accept every schema
export type Declaration =
  | Operation<string, any, any>
  | PipelineOperation<string, any, any>
  | FileRoute<string, any, any>;

/** What a feature offers, by handler name. */
export type FeatureContract = Readonly<Record<string, Declaration>>;
