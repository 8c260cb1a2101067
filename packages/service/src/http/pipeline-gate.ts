import type { Lane } from "@swath/contract/kit/pipeline-operation";
import type { Caller, Trx } from "../platform/context.ts";
import type { PartialAnswer } from "../platform/queue/pipeline-service.ts";

/** What the asynchronous routes need of the pipelines feature. */
export interface PipelineGate {
  /**
   * Accepts a pipeline, in one transaction with its admission where there is one, which learns its ID. `added` are the members that the
   * admission adds to the answer.
   *
   * @throws {ServiceError} TOO-MANY-REQUESTS
   */
  accept(
    job: {
      readonly kind: string;
      readonly lane: Lane;
      readonly request: unknown;
      readonly caller: Caller;
      readonly baseUrl: string;
    },
    admit: ((trx: Trx, pipelineId: string) => Promise<Readonly<Record<string, string>> | undefined>) | null,
  ): Promise<{
    readonly pipelineId: string;
    readonly nextTry: number;
    readonly added?: Readonly<Record<string, string>> | undefined;
  }>;
  /**
   * The result of a RESOLVED pipeline, or with `partial` what there is of a running one.
   *
   * @throws {ServiceError} NON-EXISTENT-PIPELINE, INVALID_PIPELINE_RESULT, PIPELINE-NOT-PROCESSED, or the code the
   * pipeline failed with
   */
  retrieve(query: {
    readonly kind: string;
    readonly pipelineId: string;
    readonly partial?: PartialAnswer;
    readonly caller: Caller;
  }): Promise<unknown>;
}
