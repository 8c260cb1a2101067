import { auditContract } from "@swath/contract/features/audit/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { auditHandlers } from "./handlers.ts";
import { createAuditService } from "./service.ts";

export const audit = defineFeature({
  name: "audit",
  contract: auditContract,
  needs: ["clock", "db"],
  create: createAuditService,
  handlers: auditHandlers,
});
