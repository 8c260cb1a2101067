import type { FileRoute } from "./file-route.ts";
import type { Operation } from "./operation.ts";
import type { PipelineOperation } from "./pipeline-operation.ts";

/* oxlint-disable typescript/no-explicit-any -- the erased form must accept every schema */
/** Anything a feature can declare. */
export type Declaration =
  | Operation<string, any, any>
  | PipelineOperation<string, any, any>
  | FileRoute<string, any, any>;
/* oxlint-enable typescript/no-explicit-any */

/** Operations of a feature, by handler name. */
export type FeatureContract = Readonly<Record<string, Declaration>>;

/** Features by name, each with its declarations. */
export type ServiceContract = Readonly<Record<string, FeatureContract>>;
