import type { Static, TSchema } from "typebox";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import type { Access, ConditionalPermissions, ContentPermissions, DynamicPermissions, RateClass } from "./access.ts";
import type { RequestWork } from "./request-cost.ts";

/**
 * Members of a request that its schema does not name are answered with `warnings`. Where money, rights or prices move
 * they are refused: a misspelt member would change them for somebody else, or by another amount.
 */
export type UnknownMembers<Request> = "refuse" | "warn" | ((request: Request) => "refuse" | "warn");

/** Methods of operations. Dialects prescribe others than POST and GET. */
export type Method = "POST" | "GET" | "PUT" | "PATCH" | "DELETE";

/** Whether the members of a request are in its body, besides members of the path. */
export function hasBody(method: Method): boolean {
  return method !== "GET" && method !== "DELETE";
}

/** How an operation answers that it has made something. */
export interface CreatedAnswer {
  readonly mediaType: string;
  /** Whether it also answers 200, with the media type of the operation. */
  readonly orDone: boolean;
}

/** A synchronous operation: one route, its schemas, its rights and its documentation. */
export interface Operation<
  Path extends string = string,
  Request extends TSchema = TSchema,
  Response extends TSchema = TSchema,
> {
  readonly kind: "operation";
  readonly method: Method;
  /**
   * Absolute path; `:name` segments are members of `request`, beside the query (GET, DELETE) or the body
   * (POST, PUT, PATCH).
   */
  readonly path: Path;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  /** Static permissions; all are required. Empty for public operations. */
  readonly permissions: readonly string[];
  readonly contentPermissions: ContentPermissions;
  readonly conditionalPermissions: ConditionalPermissions;
  readonly dynamicPermissions: DynamicPermissions<Static<Request>> | null;
  readonly request: Request;
  readonly response: Response;
  /** Of the answer. Dialects prescribe others than JSON's. */
  readonly mediaType: string;
  /** Request headers that the handler reads, by lower-case name. A dialect prescribes them; all are optional. */
  readonly headers: Readonly<Record<string, TSchema>>;
  /** Answers 201 with `Location` for a thing that the request makes; null: the operation answers 200 only. */
  readonly created: CreatedAnswer | null;
  /** Media types of files that it sends to clients that ask for another format. */
  readonly fileTypes: readonly string[];
  /** Code of a request that the schema refuses: 422, or 400 where a dialect prescribes that. */
  readonly refusal: "VALIDATION-ERROR" | "BAD-REQUEST";
  /** Error codes of this operation, in addition to the codes of every operation. */
  readonly errors: readonly ErrorCode[];
  /** Largest request body in bytes. */
  readonly bodyLimitBytes: number;
  readonly rateClass: RateClass;
  readonly unknownMembers: UnknownMembers<Static<Request>>;
  /** Work that the cost of a request follows, beside its body. */
  readonly work: RequestWork<Static<Request>>;
}

export const DEFAULT_BODY_LIMIT_BYTES = 1024 * 1024;
/** For GeoJSON payloads. */
export const GEOJSON_BODY_LIMIT_BYTES = 10 * 1024 * 1024;

type Defaulted =
  | "kind"
  | "method"
  | "description"
  | "access"
  | "permissions"
  | "conditionalPermissions"
  | "contentPermissions"
  | "dynamicPermissions"
  | "mediaType"
  | "headers"
  | "created"
  | "fileTypes"
  | "refusal"
  | "errors"
  | "bodyLimitBytes"
  | "rateClass"
  | "unknownMembers"
  | "work";

export type OperationInput<Path extends string, Request extends TSchema, Response extends TSchema> = Omit<
  Operation<Path, Request, Response>,
  Defaulted
> &
  Partial<Pick<Operation<Path, Request, Response>, Exclude<Defaulted, "kind">>>;

/**
 * Declares an operation. Route, validation, rights, OpenAPI, typed client and acceptance row derive from it.
 *
 * @example
 * defineOperation({
 *   path: "/imagery/scene-info",
 *   permissions: ["imagery.scene-info"],
 *   summary: "Get the metadata of a scene",
 *   request: SceneInfoRequest,
 *   response: SceneAnswer,
 * })
 */
export function defineOperation<
  const Path extends string,
  Request extends TSchema,
  Response extends TSchema,
  Named extends Method = "POST",
  const Content extends ContentPermissions = readonly [],
>(
  input: OperationInput<Path, Request, Response> & { readonly method?: Named; readonly contentPermissions?: Content },
): Operation<Path, Request, Response> & {
  readonly method: NoInfer<Named>;
  readonly contentPermissions: NoInfer<Content>;
} {
  return {
    kind: "operation",
    // The default of the type parameter: without `method` it is POST.
    method: "POST" as Named,
    description: "",
    access: "bearer",
    permissions: [],
    // The default of the type parameter: without `contentPermissions` there are none.
    contentPermissions: [] as unknown as Content,
    conditionalPermissions: [],
    dynamicPermissions: null,
    mediaType: "application/json",
    headers: {},
    created: null,
    fileTypes: [],
    refusal: "VALIDATION-ERROR",
    errors: [],
    bodyLimitBytes: DEFAULT_BODY_LIMIT_BYTES,
    rateClass: "read",
    unknownMembers: "warn",
    work: {},
    ...input,
  };
}
