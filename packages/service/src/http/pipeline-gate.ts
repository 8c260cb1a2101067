import type { Caller, Trx } from "../platform/context.ts";

/** What the asynchronous routes need of the pipelines feature. */
export interface PipelineGate {
  /** Adds a pipeline in the caller's transaction. */
  enqueue(
    trx: Trx,
    job: { readonly kind: string; readonly request: unknown; readonly caller: Caller; readonly baseUrl: string },
  ): Promise<{ readonly pipelineId: string; readonly nextTry: number }>;
  /**
   * The result of a RESOLVED pipeline, or with `allowPartial` what there is of a running one.
   *
   * @throws {ServiceError} NON-EXISTENT-PIPELINE, INVALID_PIPELINE_RESULT, PIPELINE-NOT-PROCESSED, or the code the
   * pipeline failed with
   */
  retrieve(query: {
    readonly kind: string;
    readonly pipelineId: string;
    readonly allowPartial: boolean;
    readonly caller: Caller;
  }): Promise<unknown>;
}
