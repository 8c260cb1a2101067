import type { Handlers } from "../../platform/context.ts";
import type { creditsContract } from "./contract.ts";
import type { CreditsService } from "./service.ts";

export function creditsHandlers(service: CreditsService): Handlers<typeof creditsContract> {
  return {
    checkArea: (request, { caller }) => service.checkArea(caller, request),
    allocateArea: (request, { caller }) => service.allocateArea(caller, request),
    remainingCredit: (_request, { caller }) => service.remainingCredit(caller),
    userInfo: (request, { caller }) => service.userInfo(caller, request.userId),
  };
}
