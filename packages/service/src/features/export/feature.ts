import { exportContract } from "@swath/contract/features/export/contract";
import { exportInWorker } from "@swath/maps/export/run-export-worker";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { credits } from "../credits/feature.ts";
import { imagery } from "../imagery/feature.ts";
import { ingestion } from "../ingestion/feature.ts";
import { exportPermissions } from "./content-permissions.ts";
import { sweepOrphans, type BlobUse } from "../../platform/storage/sweep-orphans.ts";
import { findNamedExports } from "./store.ts";
import { exportHandlers } from "./handlers.ts";
import { createExportService } from "./service.ts";

const SWEEP_EVERY_MS = 10 * 60_000;
/** A sweep lists every blob. */
const ORPHANS_EVERY_MS = 6 * 60 * 60_000;
const EXPORTS: BlobUse = {
  prefix: "exports/",
  pipelineOf: (key) => key.split("/")[1] ?? null,
  findNamed: findNamedExports,
};

export const exporting = defineFeature({
  name: "export",
  contract: exportContract,
  needs: ["areas", "blobs", "catalog", "clock", "config", "db", "secrets", credits, imagery, ingestion],
  create: ({ credits: { ledger }, secrets, ...needs }) =>
    createExportService({
      ...needs,
      credits: ledger,
      makeImage: (job, signal) => exportInWorker(needs.blobs, job, signal),
      signingKeys: secrets.keysFor("image addresses"),
    }),
  handlers: exportHandlers,
  permissions: ({ catalog }) => exportPermissions(catalog),
  schedules: (service, { blobs, clock, config, db }) => [
    {
      name: "export: remove expired images",
      everyMs: SWEEP_EVERY_MS,
      runsIn: "every process",
      run: () => service.sweep(),
    },
    {
      name: "export: remove orphans",
      everyMs: ORPHANS_EVERY_MS,
      runsIn: "workers",
      run: (signal) => sweepOrphans({ blobs, clock, db, minAgeMs: config.orphanAgeMs }, EXPORTS, signal),
    },
  ],
});
