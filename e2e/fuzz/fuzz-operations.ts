import { identityPaths } from "../../packages/service/src/http/identity-document.ts";
import type { Method } from "../../packages/contract/src/kit/operation.ts";
import { contractRoutes } from "../access-routes.ts";
import type { Schema } from "../example-request.ts";

/** An operation as the suite sees it. */
export interface FuzzOperation {
  readonly method: Method;
  /** With `:name` parameters. */
  readonly path: string;
  /** Of path, query and body. */
  readonly schemas: readonly Schema[];
  readonly bodyLimitBytes: number;
}

const TOKEN_BODY_LIMIT_BYTES = 16 * 1024;
const CREDENTIALS: Schema = {
  type: "object",
  properties: Object.fromEntries(
    ["username", "password", "grant_type", "scope", "mfa_token", "otp", "recovery_code"].map((name) => [
      name,
      { type: "string" },
    ]),
  ),
};

function plain(method: "GET" | "POST", path: string): FuzzOperation {
  return {
    method,
    path,
    schemas: method === "GET" ? [{ type: "object" }] : [CREDENTIALS],
    bodyLimitBytes: TOKEN_BODY_LIMIT_BYTES,
  };
}

/** An operation of the contract gets as many requests as this number of others. */
const SHARE = 4;

/** Every operation of the contract, several times, and of the identity provider and the probes, once. */
export function fuzzOperations(): readonly FuzzOperation[] {
  const identity = identityPaths.map(({ method, path }) => plain(method === "get" ? "GET" : "POST", path));
  const probes = ["/health", "/health/live", "/health/ready", "/openapi.json", "/docs"].map((path) =>
    plain("GET", path),
  );
  const declared = contractRoutes();
  return [...Array.from({ length: SHARE }, () => declared).flat(), ...identity, ...probes];
}
