import { exportContract } from "@swath/contract/features/export/contract";
import { exportInWorker } from "@swath/maps/export/run-export-worker";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { credits } from "../credits/feature.ts";
import { imagery } from "../imagery/feature.ts";
import { ingestion } from "../ingestion/feature.ts";
import { exportPermissions } from "./content-permissions.ts";
import { exportHandlers } from "./handlers.ts";
import { createExportService } from "./service.ts";

const SWEEP_EVERY_MS = 10 * 60_000;

export const exporting = defineFeature({
  name: "export",
  contract: exportContract,
  needs: ["areas", "blobs", "catalog", "clock", "db", "secrets", credits, imagery, ingestion],
  create: ({ credits: { ledger }, secrets, ...needs }) =>
    createExportService({
      ...needs,
      credits: ledger,
      makeImage: (job, signal) => exportInWorker(needs.blobs, job, signal),
      signingKeys: secrets.keysFor("image addresses"),
    }),
  handlers: exportHandlers,
  permissions: ({ catalog }) => exportPermissions(catalog),
  schedules: (service) => [
    {
      name: "export: remove expired images",
      everyMs: SWEEP_EVERY_MS,
      runsIn: "every process",
      run: () => service.sweep(),
    },
  ],
});
