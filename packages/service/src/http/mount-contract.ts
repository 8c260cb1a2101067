import type { Declaration, ServiceContract } from "@swath/contract/kit/contract";
import type { PipelineHandler } from "../platform/context.ts";
import type { Derivation } from "./admission.ts";
import { mountFileRoute } from "./mount-file-route.ts";
import type { FileHandler } from "./mount-file-route.ts";
import { mountOperation } from "./mount-operation.ts";
import { mountPipeline } from "./mount-pipeline.ts";
import type { JsonHandler, Mounting } from "./mount.ts";

/** Values of every declaration, by feature and name. Their types were checked where the contract was known. */
export type Erased = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** The parts of a contract that the service supplies. */
export interface Implementation {
  readonly handlers: Erased;
  /** Functions of the declarations with `contentPermissions`. */
  readonly permissions: Erased;
}

/**
 * Adds the routes of every declaration.
 *
 * @throws {TypeError} naming a declaration without its handler, or without its function of `contentPermissions`
 */
export function mountContract(
  contract: ServiceContract,
  implementation: Implementation,
  json: Mounting,
  streams: Mounting,
): void {
  for (const [feature, declarations] of Object.entries(contract)) {
    for (const [name, declaration] of Object.entries(declarations)) {
      const handler = implementation.handlers[feature]?.[name];
      if (handler === undefined) throw new TypeError(`no handler for ${feature}.${name}`);
      const content = contentDerivation(declaration, implementation.permissions[feature]?.[name], `${feature}.${name}`);
      switch (declaration.kind) {
        case "operation":
          mountOperation(json, declaration, handler as JsonHandler, content);
          break;
        case "pipeline":
          mountPipeline(json, declaration, handler as PipelineHandler<unknown, unknown>, content);
          break;
        case "file":
          mountFileRoute(declaration.method === "PUT" ? streams : json, declaration, handler as FileHandler, content);
          break;
      }
    }
  }
}

function contentDerivation({ contentPermissions }: Declaration, derive: unknown, name: string): Derivation | null {
  if (contentPermissions.length === 0) return null;
  if (typeof derive !== "function") {
    throw new TypeError(`no permissions for ${name}, which declares ${contentPermissions.join(", ")}`);
  }
  return derive as Derivation;
}
