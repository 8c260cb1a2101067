import type { FeatureContract } from "@swath/contract/kit/contract";
import type { Lane } from "@swath/contract/kit/pipeline-operation";
import type { PipelineHandler, PipelineHandlers } from "../platform/context.ts";

/** The lanes that operations declare. */
export const operationLanes = ["quick", "heavy"] as const satisfies readonly Lane[];

/** The pipeline handlers of all operations of the lanes, by the path of their operation. */
export function operationHandlers(
  contract: Readonly<Record<string, FeatureContract>>,
  handlers: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ...lanes: readonly Lane[]
): PipelineHandlers {
  const found = new Map<string, PipelineHandler<unknown, unknown>>();
  for (const [feature, declarations] of Object.entries(contract)) {
    for (const [name, declaration] of Object.entries(declarations)) {
      if (declaration.kind !== "pipeline" || !lanes.includes(declaration.lane)) continue;
      const handler = handlers[feature]?.[name];
      if (handler === undefined) throw new TypeError(`no handler for ${feature}.${name}`);
      found.set(declaration.path, handler as PipelineHandler<unknown, unknown>);
    }
  }
  return found;
}
