import { creditsContract } from "@swath/contract/features/credits/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { audit } from "../audit/feature.ts";
import { imagery } from "../imagery/feature.ts";
import { users } from "../users/feature.ts";
import { writeInvoiceInWorker } from "../../platform/pdf/run-invoice-worker.ts";
import { createCreditAdministration } from "./administration.ts";
import { creditsHandlers } from "./handlers.ts";
import { createInvoicer } from "./invoices/invoicer.ts";
import { createCreditsService } from "./service.ts";
import { createUsageExporter } from "./usage-export.ts";

export const credits = defineFeature({
  name: "credits",
  contract: creditsContract,
  needs: ["areas", "catalog", "clock", "db", "mapTypes", "secrets", audit, imagery, users],
  create: (needs) => ({
    ledger: createCreditsService(needs),
    administration: createCreditAdministration(needs),
    usage: createUsageExporter({ ...needs, signingKeys: needs.secrets.keysFor("usage addresses") }),
    invoices: createInvoicer({
      ...needs,
      signingKeys: needs.secrets.keysFor("invoice addresses"),
      writeInvoice: writeInvoiceInWorker,
    }),
  }),
  handlers: ({ ledger, administration, usage, invoices }) => creditsHandlers(ledger, administration, usage, invoices),
});
