import type { Handlers } from "../../platform/context.ts";
import type { CreditAdministration } from "./administration.ts";
import type { creditsContract } from "./contract.ts";
import type { CreditsService } from "./service.ts";
import type { UsageExporter } from "./usage-export.ts";

export function creditsHandlers(
  service: CreditsService,
  administration: CreditAdministration,
  usage: UsageExporter,
): Handlers<typeof creditsContract> {
  return {
    checkArea: (request, { caller }) => service.checkArea(caller, request),
    allocateArea: (request, { caller }) => service.allocateArea(caller, request),
    remainingCredit: (_request, { caller }) => service.remainingCredit(caller),
    userInfo: (request, { caller }) => service.userInfo(caller, request.userId),
    listAllocations: (request, { caller }) => service.listAllocations(caller, request),
    listGroupTransactions: (request, { caller }) => service.listGroupTransactions(caller, request),
    listUserTransactions: (request, { caller }) => service.listUserTransactions(caller, request),
    exportUsage: (request, { caller, baseUrl }) => usage.export(caller, request, baseUrl),
    usageFile: ({ query }) => usage.file(query),
    setCreditLimit: (request, { caller }) => administration.setCreditLimit(caller, request),
    grant: (request, { caller }) => administration.grant(caller, request),
    listGrants: (request) => administration.listGrants(request),
    listPriceRules: (request) => administration.listPriceRules(request),
    createPriceRule: (request, { caller }) => administration.createPriceRule(caller, request),
    endPriceRule: (request, { caller }) => administration.endPriceRule(caller, request),
  };
}
