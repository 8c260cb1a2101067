import { Type, type Static, type TSchema } from "typebox";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import type { Access, ConditionalPermissions, ContentPermissions, DynamicPermissions } from "./access.ts";
import { emptyResultOf } from "./empty-result.ts";
import { DEFAULT_BODY_LIMIT_BYTES, type UnknownMembers } from "./operation.ts";
import type { RequestWork } from "./request-cost.ts";

/**
 * Pipelines of a lane wait only for each other, because each lane has separate places: `quick` for work of at most a
 * few seconds, whose caller waits for the answer, `heavy` for all other work.
 */
export type Lane = "quick" | "heavy";

/** An asynchronous operation: `<path>/initiate` enqueues a pipeline, `<path>/retrieve` returns its result. */
export interface PipelineOperation<
  Path extends string = string,
  Request extends TSchema = TSchema,
  Result extends TSchema = TSchema,
> {
  readonly kind: "pipeline";
  /** Path without `/initiate` or `/retrieve`; also the name of the pipeline kind in the queue. */
  readonly path: Path;
  readonly summary: string;
  readonly description: string;
  readonly lane: Lane;
  readonly access: Access;
  /** Static permissions of initiate. */
  readonly permissions: readonly string[];
  /** Of initiate. */
  readonly contentPermissions: ContentPermissions;
  readonly conditionalPermissions: ConditionalPermissions;
  readonly dynamicPermissions: DynamicPermissions<Static<Request>> | null;
  /** Static permissions of retrieve; the caller must also be the initiating user or of the same group. */
  readonly retrievePermissions: readonly string[];
  readonly unknownMembers: UnknownMembers<Static<Request>>;
  readonly request: Request;
  readonly result: Result;
  /** Schema of the answers of retrieve with `allowPartial`; null where they have the schema of the result. */
  readonly partialResult: TSchema | null;
  /** Answer of retrieve with `allowPartial` before there is anything; by default of null members and empty lists. */
  readonly emptyResult: Readonly<Record<string, unknown>>;
  readonly errors: readonly ErrorCode[];
  readonly bodyLimitBytes: number;
  /** Work that the cost of initiate follows, beside its body. */
  readonly work: RequestWork<Static<Request>>;
}

type Defaulted =
  | "kind"
  | "description"
  | "lane"
  | "access"
  | "permissions"
  | "conditionalPermissions"
  | "contentPermissions"
  | "dynamicPermissions"
  | "retrievePermissions"
  | "unknownMembers"
  | "partialResult"
  | "emptyResult"
  | "errors"
  | "bodyLimitBytes"
  | "work";

export type PipelineInput<Path extends string, Request extends TSchema, Result extends TSchema> = Omit<
  PipelineOperation<Path, Request, Result>,
  Defaulted
> &
  Partial<Pick<PipelineOperation<Path, Request, Result>, Exclude<Defaulted, "kind" | "emptyResult">>> & {
    readonly emptyResult?: Static<Result>;
  };

/** Declares an asynchronous operation; `retrievePermissions` default to the static ones of initiate. */
export function definePipeline<
  const Path extends string,
  Request extends TSchema,
  Result extends TSchema,
  const Content extends ContentPermissions = readonly [],
>(
  input: PipelineInput<Path, Request, Result> & { readonly contentPermissions?: Content },
): PipelineOperation<Path, Request, Result> & { readonly contentPermissions: NoInfer<Content> } {
  return {
    kind: "pipeline",
    description: "",
    lane: "heavy",
    access: "bearer",
    permissions: [],
    // The default of the type parameter: without `contentPermissions` there are none.
    contentPermissions: [] as unknown as Content,
    conditionalPermissions: [],
    dynamicPermissions: null,
    retrievePermissions: input.permissions ?? [],
    unknownMembers: "warn",
    errors: [],
    bodyLimitBytes: DEFAULT_BODY_LIMIT_BYTES,
    work: {},
    ...input,
    ...partialOf(input),
  };
}

function partialOf({
  result,
  partialResult = null,
  emptyResult,
}: Pick<PipelineInput<string, TSchema, TSchema>, "result" | "partialResult" | "emptyResult">): Pick<
  PipelineOperation,
  "partialResult" | "emptyResult"
> {
  if (emptyResult !== undefined) return { partialResult, emptyResult: emptyResult as Record<string, unknown> };
  const { schema, value } = emptyResultOf(result);
  return { partialResult: partialResult === null ? schema : Type.Union([partialResult, schema]), emptyResult: value };
}
