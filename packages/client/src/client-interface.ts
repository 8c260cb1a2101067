import type { CallTypes, FileTypes, GetTypes, PipelineTypes, ServiceContract, contract } from "@swath/contract";
import type { FollowOptions, SwathEvent } from "./follow-events.ts";
import type { ImportAnswer } from "@swath/contract/features/stac/transaction-contract";
import type { RunOptions } from "./run-pipeline.ts";
import type { SendOptions, UploadOptions, UploadResult, UploadSource } from "./upload.ts";

export interface RequestOptions {
  readonly signal?: AbortSignal;
}

/**
 * A request with positions as lists of numbers, as GeoJSON of other libraries has them: their types tell no pair from a
 * list. The service checks the number of coordinates.
 */
export type Sendable<Request> = Request extends readonly [number, number, ...number[]]
  ? readonly number[]
  : Request extends readonly (infer Item)[]
    ? readonly Sendable<Item>[]
    : Request extends object
      ? { readonly [Name in keyof Request]: Sendable<Request[Name]> }
      : Request;

/** The body is optional where none of its members is required. */
type BodyArguments<Request, Options> =
  Partial<Request> extends Request ? [body?: Request, options?: Options] : [body: Request, options?: Options];

/** Query and options of a file; the query is optional where none of its members is required. */
export type FileArguments<Types> = Types extends { readonly params: infer Params; readonly query: infer Query }
  ? {
      readonly params: Params;
      /** Headers of the request, such as `if-none-match` or `range`. */
      readonly headers?: Readonly<Record<string, string>>;
      readonly signal?: AbortSignal;
    } & (Partial<Query> extends Query ? { readonly query?: Query } : { readonly query: Query })
  : never;

/** The members of a type by path. */
type Member<Types, Path, Name extends string> = Path extends keyof Types
  ? Types[Path] extends Readonly<Record<Name, infer Value>>
    ? Value
    : never
  : never;

/** The service, typed by its contract. Every method throws `ApiError` for an answer of 400 and above. */
export interface Client<C extends ServiceContract = typeof contract> {
  readonly baseUrl: string;
  /** Calls a POST operation. */
  call<Path extends keyof CallTypes<C> & string>(
    path: Path,
    ...rest: BodyArguments<Sendable<Member<CallTypes<C>, Path, "request">>, RequestOptions>
  ): Promise<Member<CallTypes<C>, Path, "response">>;
  /** Calls a GET operation that returns JSON; `parameters` belong to path and query. */
  get<Path extends keyof GetTypes<C> & string>(
    path: Path,
    ...rest: BodyArguments<Member<GetTypes<C>, Path, "request">, RequestOptions>
  ): Promise<Member<GetTypes<C>, Path, "response">>;
  /** Initiates an asynchronous operation, waits for its end and returns its result. */
  run<Path extends keyof PipelineTypes<C> & string>(
    path: Path,
    ...rest: BodyArguments<Sendable<Member<PipelineTypes<C>, Path, "request">>, RunOptions>
  ): Promise<Member<PipelineTypes<C>, Path, "result">>;
  /** Initiates an asynchronous operation without waiting. */
  initiate<Path extends keyof PipelineTypes<C> & string>(
    path: Path,
    ...rest: BodyArguments<Sendable<Member<PipelineTypes<C>, Path, "request">>, RequestOptions>
  ): Promise<{ pipelineId: string; status: "NEW"; nextTry: number; subGeometryId?: string }>;
  /** Returns the result of an ended pipeline. */
  retrieve<Path extends keyof PipelineTypes<C> & string>(
    path: Path,
    pipelineId: string,
    options?: RequestOptions,
  ): Promise<Member<PipelineTypes<C>, Path, "result">>;
  /** The answer of a file route, its body unread: 200, 204, or 304 where a condition was sent. */
  file<Path extends keyof FileTypes<C> & string>(
    path: Path,
    request: FileArguments<FileTypes<C>[Path]>,
  ): Promise<Response>;
  /** Returns the address of a file. */
  fileUrl<Path extends keyof FileTypes<C> & string>(
    path: Path,
    request: Pick<FileArguments<FileTypes<C>[Path]>, "params" | "query">,
  ): string;
  /**
   * Events as they happen, without end; a broken connection is opened again behind the last event.
   *
   * @example
   * for await (const event of client.events({ types: ["pipeline.resolved"] })) console.log(event.data);
   */
  events(options?: FollowOptions): AsyncGenerator<SwathEvent>;
  /** Uploads a GeoTIFF or a zip of them and ingests it. */
  upload(source: UploadSource, options: UploadOptions): Promise<UploadResult>;
  /** Sends a file for another operation, such as the import of an analysis, which names it by its `filepath`. */
  sendFile(source: UploadSource, options: SendOptions): Promise<{ readonly filepath: string }>;
  /** Registers items of STAC in a collection by lines of JSON; see `docs/stac-api.md`. Repeating it changes nothing. */
  importItems(collectionId: string, lines: Uint8Array<ArrayBuffer>, options?: RequestOptions): Promise<ImportAnswer>;
  /** Returns the token of requests, null without one. */
  token(): Promise<string | null>;
}
