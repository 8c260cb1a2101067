import type { ServiceContract } from "@swath/contract/kit/contract";
import type { PipelineHandler } from "../platform/context.ts";
import { mountFileRoute } from "./mount-file-route.ts";
import type { FileHandler } from "./mount-file-route.ts";
import { mountOperation } from "./mount-operation.ts";
import { mountPipeline } from "./mount-pipeline.ts";
import type { JsonHandler, Mounting } from "./mount.ts";

/**
 * Adds the routes of every declaration. The handlers' types were checked against the contract where both were
 * known; here they are erased.
 */
export function mountContract(
  contract: ServiceContract,
  handlers: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  json: Mounting,
  streams: Mounting,
): void {
  for (const [feature, declarations] of Object.entries(contract)) {
    for (const [name, declaration] of Object.entries(declarations)) {
      const handler = handlers[feature]?.[name];
      if (handler === undefined) throw new TypeError(`no handler for ${feature}.${name}`);
      switch (declaration.kind) {
        case "operation":
          mountOperation(json, declaration, handler as JsonHandler);
          break;
        case "pipeline":
          mountPipeline(json, declaration, handler as PipelineHandler<unknown, unknown>);
          break;
        case "file":
          mountFileRoute(declaration.method === "PUT" ? streams : json, declaration, handler as FileHandler);
          break;
      }
    }
  }
}
