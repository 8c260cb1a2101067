import { Compile } from "typebox/compile";
import { contract } from "../packages/contract/src/contract.ts";
import type { Declaration } from "../packages/contract/src/kit/contract.ts";
import { DEFAULT_BODY_LIMIT_BYTES, hasBody, type Method } from "../packages/contract/src/kit/operation.ts";
import { RetrieveRequest } from "../packages/contract/src/kit/pipeline-routes.ts";
import type { AnyFeature } from "../packages/service/src/feature-kit/define-feature.ts";
import { features } from "../packages/service/src/features.ts";
import { createMapTypes } from "../packages/maps/src/registry.ts";
import { derivationsOf, dynamicPermissions, type Derivation } from "../packages/service/src/http/admission.ts";
import { createCatalog } from "../packages/service/src/providers/catalog.ts";
import { providers } from "../packages/service/src/providers/registry.ts";
import { exampleOf, membersOf } from "./example-request.ts";
import type { ExampleOptions, Schema } from "./example-request.ts";

/** Permissions by content of each feature, with the built-in catalogue. */
const BUILT_IN = { catalog: createCatalog(providers), mapTypes: createMapTypes([]) };
const CONTENT: Readonly<Record<string, Readonly<Record<string, Derivation>>>> = Object.fromEntries(
  Object.entries<AnyFeature>(features).map(([name, { permissions }]) => [name, { ...permissions(BUILT_IN as never) }]),
);

/** One route of the contract with what its declaration says about who may call it. */
export interface Route {
  readonly feature: string;
  readonly method: Method;
  /** With `:name` parameters. */
  readonly path: string;
  readonly access: "public" | "optional" | "bearer" | "user";
  readonly permissions: readonly string[];
  readonly errors: readonly string[];
  /** Kind of the pipeline whose result this route answers. */
  readonly retrieves: string | null;
  example(options: ExampleOptions): Example;
  /** Names and schemas of all members of a request. */
  readonly members: Readonly<Record<string, Schema>>;
  /** Schemas of path, query and body. */
  readonly schemas: readonly Schema[];
  /** Largest body; 0 for a route without a JSON body. */
  readonly bodyLimitBytes: number;
}

/** A request, and the permissions that it needs by its declaration. */
export interface Example {
  readonly url: string;
  readonly body: unknown;
  readonly required: readonly string[];
  readonly fits: boolean;
}

interface Parts {
  readonly feature: string;
  readonly method: Method;
  readonly path: string;
  readonly access: Route["access"];
  readonly permissions: readonly string[];
  readonly derivations: readonly Derivation[];
  readonly errors: readonly string[];
  readonly retrieves?: string;
  readonly schemas: readonly object[];
  readonly bodyLimitBytes: number;
}

function route(parts: Parts): Route {
  const { method, path, permissions, derivations, schemas } = parts;
  const checks = schemas.map((schema) => Compile(schema));
  const hasJson = parts.bodyLimitBytes > 0 && hasBody(method);
  const members = Object.assign({}, ...schemas.map((schema) => membersOf({ ...schema })));
  return {
    feature: parts.feature,
    method,
    path,
    access: parts.access,
    permissions,
    errors: parts.errors,
    retrieves: parts.retrieves ?? null,
    members,
    schemas: schemas.map((schema) => ({ ...schema })),
    bodyLimitBytes: parts.bodyLimitBytes,
    example(options) {
      const values = schemas.map((schema) => exampleOf({ ...schema }, options));
      const fits = values.every((value, index) => checks[index]?.Check(value) ?? false);
      const request: Record<string, unknown> = Object.assign({}, ...values);
      const inPath = new Set(Array.from(path.matchAll(/:(\w+)/g), (match) => match[1] ?? ""));
      const rest = Object.entries(request).filter(([name]) => !inPath.has(name));
      const filled = path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(request[name])));
      const query = new URLSearchParams(rest.map(([name, value]) => [name, String(value)])).toString();
      return {
        url: !hasJson && query !== "" ? `${filled}?${query}` : filled,
        body: hasJson ? Object.fromEntries(rest) : undefined,
        // Of a request that does not fit, only what is asked of everybody is certain.
        required: [...new Set([...permissions, ...(fits ? dynamicPermissions(derivations, request, true) : [])])],
        fits,
      };
    },
  };
}

/** Every route of the contract, pipelines twice. */
export function contractRoutes(): Route[] {
  return Object.entries(contract).flatMap(([feature, declarations]) =>
    Object.entries<Declaration>(declarations).flatMap(([name, declaration]) =>
      routesOf(feature, declaration, CONTENT[feature]?.[name] ?? null),
    ),
  );
}

function routesOf(feature: string, declaration: Declaration, content: Derivation | null): Route[] {
  const { access, errors, path, permissions } = declaration;
  const shared = { feature, access, errors, permissions, derivations: derivationsOf(declaration, content) };
  if (declaration.kind === "operation") {
    const { bodyLimitBytes, method, request } = declaration;
    return [route({ ...shared, method, path, schemas: [request], bodyLimitBytes })];
  }
  if (declaration.kind === "file") {
    const { method, params, query } = declaration;
    return [route({ ...shared, method, path, schemas: [params, query], bodyLimitBytes: 0 })];
  }
  const { bodyLimitBytes } = declaration;
  return [
    route({ ...shared, method: "POST", path: `${path}/initiate`, schemas: [declaration.request], bodyLimitBytes }),
    route({
      ...shared,
      method: "POST",
      path: `${path}/retrieve`,
      permissions: declaration.retrievePermissions,
      derivations: [],
      retrieves: path,
      schemas: [RetrieveRequest, ...pathMembers(path, declaration.request)],
      bodyLimitBytes: DEFAULT_BODY_LIMIT_BYTES,
    }),
  ];
}

/** The members of a request that its path holds, as a schema; nothing for a path without parameters. */
function pathMembers(path: string, request: object): object[] {
  const names = Array.from(path.matchAll(/:(\w+)/g), (match) => match[1] ?? "");
  if (names.length === 0) return [];
  const members = membersOf({ ...request });
  return [
    { type: "object", required: names, properties: Object.fromEntries(names.map((name) => [name, members[name]])) },
  ];
}
