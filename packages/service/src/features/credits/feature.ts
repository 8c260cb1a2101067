import { creditsContract } from "@swath/contract/features/credits/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { audit } from "../audit/feature.ts";
import { imagery } from "../imagery/feature.ts";
import { users } from "../users/feature.ts";
import { writeInvoiceInWorker } from "../../platform/pdf/run-invoice-worker.ts";
import { createCreditAdministration } from "./administration.ts";
import { creditsHandlers } from "./handlers.ts";
import { createInvoicer } from "./invoices/invoicer.ts";
import { setLowCredit } from "./low-credit.ts";
import { createCreditsService } from "./service.ts";
import { createUsageExporter } from "./usage-export.ts";

/** A release that fails gives its credit back at most this much later. */
const RETURN_EVERY_MS = 5_000;
/** A new account has the threshold of the settings at most this much later. */
const THRESHOLD_EVERY_MS = 60_000;

export const credits = defineFeature({
  name: "credits",
  contract: creditsContract,
  needs: ["areas", "catalog", "clock", "config", "db", "mapTypes", "secrets", audit, imagery, users],
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
  schedules: ({ ledger }, { config, db }) => [
    {
      name: "credits: set the threshold of low credit",
      everyMs: THRESHOLD_EVERY_MS,
      atStart: true,
      runsIn: "workers",
      run: () => setLowCredit(db, config.lowCredit),
    },
    {
      name: "credits: return the holds of ended releases",
      everyMs: RETURN_EVERY_MS,
      runsIn: "workers",
      run: async (signal) => void (await ledger.returnEndedReleases(signal)),
    },
  ],
  handlers: ({ ledger, administration, usage, invoices }) => creditsHandlers(ledger, administration, usage, invoices),
});
