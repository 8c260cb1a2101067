import type { Static, TObject, TSchema } from "typebox";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import type { Access, ConditionalPermissions, ContentPermissions, DynamicPermissions, RateClass } from "./access.ts";

/** A route that returns or accepts bytes instead of JSON. Path parameters and query arrive as text and are coerced. */
export interface FileRoute<
  Path extends string = string,
  Params extends TObject = TObject,
  Query extends TObject = TObject,
> {
  readonly kind: "file";
  /** Every GET route also answers HEAD. */
  readonly method: "GET" | "PUT";
  /** Path with `:name` parameters. */
  readonly path: Path;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  readonly permissions: readonly string[];
  readonly contentPermissions: ContentPermissions;
  readonly conditionalPermissions: ConditionalPermissions;
  readonly dynamicPermissions: DynamicPermissions<Static<Params> & Static<Query>> | null;
  readonly params: Params;
  readonly query: Query;
  /** Media types of a 200 answer (GET) or of an accepted body (PUT). */
  readonly mediaTypes: readonly string[];
  /**
   * Schemas of the files by media type, for the OpenAPI document; media types without one are bytes. The one of
   * `application/json` is the answer of a PUT.
   */
  readonly schemas: Readonly<Record<string, TSchema>>;
  /** Meaning of each status, for the OpenAPI document. */
  readonly statuses: Readonly<Record<number, string>>;
  readonly errors: readonly ErrorCode[];
  readonly rateClass: RateClass;
}

type Defaulted =
  | "kind"
  | "method"
  | "description"
  | "access"
  | "permissions"
  | "conditionalPermissions"
  | "contentPermissions"
  | "dynamicPermissions"
  | "errors"
  | "rateClass"
  | "schemas";

export type FileRouteInput<Path extends string, Params extends TObject, Query extends TObject> = Omit<
  FileRoute<Path, Params, Query>,
  Defaulted
> &
  Partial<Pick<FileRoute<Path, Params, Query>, Exclude<Defaulted, "kind">>>;

/** Declares a file route. */
export function defineFileRoute<
  const Path extends string,
  Params extends TObject,
  Query extends TObject,
  Method extends "GET" | "PUT" = "GET",
  const Content extends ContentPermissions = readonly [],
>(
  input: FileRouteInput<Path, Params, Query> & { readonly method?: Method; readonly contentPermissions?: Content },
): FileRoute<Path, Params, Query> & {
  readonly method: NoInfer<Method>;
  readonly contentPermissions: NoInfer<Content>;
} {
  return {
    kind: "file",
    // The default of the type parameter: without `method` it is GET.
    method: "GET" as Method,
    description: "",
    access: "bearer",
    permissions: [],
    // The default of the type parameter: without `contentPermissions` there are none.
    contentPermissions: [] as unknown as Content,
    conditionalPermissions: [],
    dynamicPermissions: null,
    errors: [],
    rateClass: "grid",
    schemas: {},
    ...input,
  };
}
