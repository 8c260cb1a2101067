import type { assetsContract } from "@swath/contract/features/assets/contract";
import type { Handlers } from "../../platform/context.ts";
import type { AssetsService } from "./service.ts";

export function assetsHandlers(service: AssetsService): Handlers<typeof assetsContract> {
  return { sceneFile: (request) => service.file(request) };
}
