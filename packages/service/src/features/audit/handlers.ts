import type { Handlers } from "../../platform/context.ts";
import type { auditContract } from "@swath/contract/features/audit/contract";
import type { AuditService } from "./service.ts";

export function auditHandlers(service: AuditService): Handlers<typeof auditContract> {
  return { list: (request) => service.list(request) };
}
