import type { Handlers } from "../../platform/context.ts";
import type { CreditAdministration } from "./administration.ts";
import type { creditsContract } from "@swath/contract/features/credits/contract";
import type { CreditsService } from "./service.ts";
import type { Invoicer } from "./invoices/invoicer.ts";
import type { UsageExporter } from "./usage-export.ts";

export function creditsHandlers(
  service: CreditsService,
  administration: CreditAdministration,
  usage: UsageExporter,
  invoices: Invoicer,
): Handlers<typeof creditsContract> {
  return {
    checkArea: (request, { caller, signal }) => service.checkArea(caller, request, signal),
    allocateArea: (request, { caller, signal }) => service.allocateArea(caller, request, { signal }),
    remainingCredit: (_request, { caller }) => service.remainingCredit(caller),
    userInfo: (request, { caller }) => service.userInfo(caller, request.userId),
    listAllocations: (request, { caller }) => service.listAllocations(caller, request),
    listGroupTransactions: (request, { caller }) => service.listGroupTransactions(caller, request),
    listUserTransactions: (request, { caller }) => service.listUserTransactions(caller, request),
    exportUsage: (request, { caller, baseUrl }) => usage.export(caller, request, baseUrl),
    usageFile: ({ query }) => usage.file(query),
    invoice: (request, { caller, baseUrl }) => invoices.invoice(caller, request, baseUrl),
    invoiceFile: ({ params, query }, { signal }) => invoices.file(params.fileName, query, signal),
    setCreditLimit: (request, { caller, requestId }) => administration.setCreditLimit(caller, request, requestId),
    grant: (request, { caller, requestId }) => administration.grant(caller, request, requestId),
    listGrants: (request) => administration.listGrants(request),
    listPriceRules: (request) => administration.listPriceRules(request),
    createPriceRule: (request, { caller, requestId }) => administration.createPriceRule(caller, request, requestId),
    endPriceRule: (request, { caller, requestId }) => administration.endPriceRule(caller, request, requestId),
  };
}
