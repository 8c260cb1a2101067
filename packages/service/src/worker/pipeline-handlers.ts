import type { FeatureContract } from "@swath/contract/kit/contract";
import type { PipelineHandler, PipelineHandlers } from "../platform/context.ts";

/** The pipeline handlers of all features, by the path of their operation. */
export function pipelineHandlers(
  contract: Readonly<Record<string, FeatureContract>>,
  handlers: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): PipelineHandlers {
  const found = new Map<string, PipelineHandler<unknown, unknown>>();
  for (const [feature, declarations] of Object.entries(contract)) {
    for (const [name, declaration] of Object.entries(declarations)) {
      if (declaration.kind !== "pipeline") continue;
      const handler = handlers[feature]?.[name];
      if (handler === undefined) throw new TypeError(`no handler for ${feature}.${name}`);
      found.set(declaration.path, handler as PipelineHandler<unknown, unknown>);
    }
  }
  return found;
}
