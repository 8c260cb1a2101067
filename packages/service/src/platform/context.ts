import type { Readable } from "node:stream";
import type { Static } from "typebox";
import type { FeatureContract } from "@swath/contract/kit/contract";
import type { FileRoute } from "@swath/contract/kit/file-route";
import type { Operation } from "@swath/contract/kit/operation";
import type { PipelineOperation } from "@swath/contract/kit/pipeline-operation";
import type { AnswerWithHeaders } from "./answer-with-headers.ts";
import type { KeptJson } from "./kept-json.ts";
import type { Database } from "./postgres/schema.ts";
import type { FileAnswer, SentFile } from "./sent-file.ts";
import type { Kysely, Transaction } from "kysely";

/** Who is calling. An anonymous caller has no user, no group and no permissions. */
export interface Caller {
  readonly kind: "user" | "api-key" | "anonymous";
  readonly userId: string;
  /** First group of the user, which owns the pipelines, uploads and scenes of the user; empty without a group. */
  readonly groupId: string;
  /** Organisation of that group; null or absent for a group that stands alone. */
  readonly organizationId?: string | null;
  /** Group whose credit pays; absent: the group of the user. Paying grants no access. */
  readonly accountingGroupId?: string;
  /** Tier of the group that pays; null or absent when it has none. */
  readonly tier?: string | null;
  readonly email: string;
  readonly permissions: ReadonlySet<string>;
  /** Whether a second factor stands behind the credential; absent: no. */
  readonly secondFactor?: boolean;
  /** Names the credential of a request in addresses that are signed for the caller; see `Identity.callerOf`. */
  readonly credential?: string;
}

export interface RequestContext {
  readonly caller: Caller;
  /** Aborts when the client goes away or the service stops. */
  readonly signal: AbortSignal;
  /**
   * Says that the request now waits, for a pipeline or for events: it leaves its place among the working requests.
   * Disposing the result ends the wait.
   *
   * @returns null when the caller has as many waiting requests as it may: answer at once
   */
  readonly beginWait: () => Disposable | null;
  readonly requestId: string;
  /** Values of the headers that the operation declares, by lower-case name. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Origin the client used, such as `http://127.0.0.1:8080`, or the configured public URL. No trailing slash. */
  readonly baseUrl: string;
}

/** The request that a pipeline is accepted with. */
interface AdmissionContext extends RequestContext {
  /** Of the pipeline, if it is accepted. */
  readonly pipelineId: string;
}

/** What a pipeline may tell its callers while it runs. */
export interface PipelineProgress {
  readonly message:
    | "Unknown"
    | "Preparing analysis"
    | "Ordering data from provider"
    | "Waiting for provider data to become available"
    | "Downloading data from provider"
    | "Analyzing"
    | "Finalizing analysis";
  readonly provider?: string;
  /** 0 to 6. */
  readonly step: number;
}

export interface PipelineJob {
  readonly pipelineId: string;
  /** 1 for the first run; a crash or a retry raises it. */
  readonly attempt: number;
  /** Earlier runs that failed unexpectedly; deaths of processes do not count. */
  readonly failures: number;
  readonly caller: Caller;
  readonly baseUrl: string;
  /** Aborts on cancel, on lost lease and on shutdown. */
  readonly signal: AbortSignal;
  readonly report: (progress: PipelineProgress) => Promise<void>;
  /** Stores what `allowPartial` answers until the end. */
  readonly savePartial: (result: unknown) => Promise<void>;
}

export interface PipelineOutcome<Result> {
  readonly result: Result;
  /**
   * Effects that must happen exactly once: runs in the transaction that marks the pipeline RESOLVED, and may run again
   * when that transaction fails. A value that it returns replaces the result.
   */
  readonly commit?: (transaction: Transaction<Database>) => Promise<Result | void>;
}

export interface PipelineHandler<Request, Result, Prepared = unknown> {
  /**
   * Slow work before the transaction of `admit` begins, such as a question to a catalogue. The result goes to `admit`.
   * Throwing a ServiceError refuses the request.
   */
  readonly prepare?: (request: Request, context: RequestContext) => Promise<Prepared>;
  /**
   * Checks beyond the schema and side effects of accepting, in the transaction that enqueues the pipeline.
   * Throwing a ServiceError refuses the request. Returned members are added to the initiate answer.
   *
   * A method, because the HTTP layer holds handlers of every `Prepared` and passes the value through unread.
   */
  admit?(
    request: Request,
    context: AdmissionContext,
    transaction: Transaction<Database>,
    prepared: Prepared,
  ): Promise<Readonly<Record<string, string>> | undefined>;
  /** The request that is kept and run: with the findings of `prepare`. The request itself unless given. */
  kept?(request: Request, prepared: Prepared): Request;
  /**
   * Whether the run has effects under the ID of the pipeline outside of `commit`. Others may run before the pipeline
   * has its row.
   */
  needsRow?(request: Request): boolean;
  /** Idempotent per pipeline: may run again after a crash. */
  readonly run: (request: Request, job: PipelineJob) => Promise<PipelineOutcome<Result>>;
}

/** Handlers by the path of their pipeline operation; the schema of the operation has checked the request of each. */
// oxlint-disable-next-line typescript/no-explicit-any -- one map holds the handlers of all request types
export type PipelineHandlers = ReadonlyMap<string, PipelineHandler<any, unknown>>;

export interface FileRequest<Params, Query> {
  readonly params: Params;
  readonly query: Query;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body of a PUT, unread. */
  readonly body: Readable | null;
}

/** An answer as it is, kept as bytes, with headers, or as a file. */
type AnswerOf<Value> = Value | KeptJson<Value> | AnswerWithHeaders<Value> | SentFile;

type HandlerOf<D> =
  D extends FileRoute<string, infer Params, infer Query>
    ? (request: FileRequest<Static<Params>, Static<Query>>, context: RequestContext) => Promise<FileAnswer>
    : D extends PipelineOperation<string, infer Request, infer Result>
      ? PipelineHandler<Static<Request>, Static<Result>>
      : D extends Operation<string, infer Request, infer Response>
        ? (request: Static<Request>, context: RequestContext) => Promise<AnswerOf<Static<Response>>>
        : never;

/** Exactly one handler for each declaration of a feature; a missing one does not compile. */
export type Handlers<C extends FeatureContract> = { readonly [Name in keyof C]: HandlerOf<C[Name]> };

type RequestOf<D> =
  D extends FileRoute<string, infer Params, infer Query>
    ? Static<Params> & Static<Query>
    : D extends PipelineOperation<string, infer Request>
      ? Static<Request>
      : D extends Operation<string, infer Request>
        ? Static<Request>
        : never;

/**
 * A function for each declaration with `contentPermissions`; a missing one does not compile. Permissions are checked
 * before the schema: of a malformed request a function returns what it can read, or throws.
 */
export type PermissionsByContent<C extends FeatureContract> = {
  readonly [Name in keyof C as C[Name]["contentPermissions"] extends readonly [] ? never : Name]: (
    request: RequestOf<C[Name]>,
  ) => readonly string[];
};

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;
