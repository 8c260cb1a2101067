import type { Handlers } from "../../platform/context.ts";
import type { baselinesContract } from "@swath/contract/features/baselines/contract";
import type { BaselineService } from "./service.ts";

export function baselinesHandlers(service: BaselineService): Handlers<typeof baselinesContract> {
  return {
    perpendicularBaselines: (request, { caller, signal }) =>
      service.perpendicularBaselines(request.sceneIds, caller, signal),
  };
}
