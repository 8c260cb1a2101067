import type { Static, TObject, TSchema } from "typebox";
import type { ServiceContract } from "./contract.ts";
import type { FileRoute } from "./file-route.ts";
import type { Operation } from "./operation.ts";
import type { PipelineOperation } from "./pipeline-operation.ts";

/*
 * Types that a client derives from a contract: request and answer of each path. Types only, so that a client contains
 * no code of the service.
 */

type DeclarationsOf<C extends ServiceContract> = { [F in keyof C]: C[F][keyof C[F]] }[keyof C];

/** POST operations: request and response by path. */
export type CallTypes<C extends ServiceContract> = {
  [D in DeclarationsOf<C> as D extends { kind: "operation"; method: "POST" } ? D["path"] : never]: OperationTypes<D>;
};

/** GET operations answering JSON: request (parameters of path and query) and response by path. */
export type GetTypes<C extends ServiceContract> = {
  [D in DeclarationsOf<C> as D extends { kind: "operation"; method: "GET" } ? D["path"] : never]: OperationTypes<D>;
};

type OperationTypes<D> =
  D extends Operation<string, infer Request extends TSchema, infer Response extends TSchema>
    ? { readonly request: Static<Request>; readonly response: Static<Response> }
    : never;

/** Asynchronous operations: request and result by path. */
export type PipelineTypes<C extends ServiceContract> = {
  [D in DeclarationsOf<C> as D extends { kind: "pipeline" } ? D["path"] : never]: D extends PipelineOperation<
    string,
    infer Request extends TSchema,
    infer Result extends TSchema
  >
    ? { readonly request: Static<Request>; readonly result: Static<Result> }
    : never;
};

/** File routes by GET: parameters of path and query by path. */
export type FileTypes<C extends ServiceContract> = {
  [D in DeclarationsOf<C> as D extends { kind: "file"; method: "GET" } ? D["path"] : never]: D extends FileRoute<
    string,
    infer Params extends TObject,
    infer Query extends TObject
  >
    ? { readonly params: Static<Params>; readonly query: Static<Query> }
    : never;
};
