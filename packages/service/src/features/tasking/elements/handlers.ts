import type { elementsContract } from "@swath/contract/features/tasking/elements-contract";
import type { Handlers } from "../../../platform/context.ts";
import { importElements, type ElementsDeps } from "./import-elements.ts";
import { listedElements } from "./list-elements.ts";

export function elementsHandlers(deps: ElementsDeps): Handlers<typeof elementsContract> {
  return {
    importElements: ({ elements }, { caller, requestId }) => importElements(deps, caller, elements, requestId),
    listElements: (request) => listedElements(deps, request),
  };
}
