import { mapsContract } from "@swath/contract/features/maps/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { writeReportInWorker } from "../../platform/pdf/run-report-worker.ts";
import { credits } from "../credits/feature.ts";
import { imagery } from "../imagery/feature.ts";
import { ingestion } from "../ingestion/feature.ts";
import { PART_LANE } from "./analysis/part-pipelines.ts";
import { createAnalysisParts } from "./analysis/parts.ts";
import { createResults } from "./analysis/results.ts";
import { mapsPermissions } from "./content-permissions.ts";
import { createDownloads } from "../../platform/downloads/downloads.ts";
import { mapsHandlers } from "./handlers.ts";
import { deleteExpiredLinks } from "./links/link-store.ts";
import { sweepMapOrphans } from "./sweep-orphans.ts";
import { createMapsService } from "./service.ts";

const SWEEP_EVERY_MS = 10 * 60_000;
/** A sweep lists every blob. */
const ORPHANS_EVERY_MS = 6 * 60 * 60_000;

export const maps = defineFeature({
  name: "maps",
  contract: mapsContract,
  needs: [
    "analyser",
    "areas",
    "blobs",
    "caches",
    "catalog",
    "clock",
    "config",
    "db",
    "featureTests",
    "folders",
    "mapTypes",
    "queue",
    "renderer",
    "savedMaps",
    "secrets",
    credits,
    imagery,
    ingestion,
  ],
  create({ config, credits: { ledger }, queue, secrets, ...needs }) {
    const parts = createAnalysisParts({ ...needs, pipelines: queue });
    const downloads = createDownloads({ ...needs, signingKeys: secrets.keysFor("download addresses") });
    const service = createMapsService({
      ...needs,
      results: createResults({ ...needs, parts }),
      downloads,
      writeReport: writeReportInWorker,
      credits: ledger,
      signingKeys: secrets.mapIds,
      renderedCacheBytes: config.renderedCacheBytes,
    });
    return { service, parts, downloads };
  },
  handlers: ({ service }) => mapsHandlers(service),
  permissions: ({ catalog, mapTypes }) => mapsPermissions(mapTypes, catalog),
  // A part keeps all threads of a process busy.
  pipelines: ({ parts }) => ({ pools: [{ lane: PART_LANE, handlers: parts.handlers, concurrency: 1 }] }),
  schedules: ({ downloads }, { blobs, clock, config, db }) => [
    {
      name: "maps: remove expired downloads",
      everyMs: SWEEP_EVERY_MS,
      runsIn: "every process",
      run: () => downloads.sweep(),
    },
    {
      name: "maps: remove expired links",
      everyMs: SWEEP_EVERY_MS,
      runsIn: "workers",
      run: () => deleteExpiredLinks(db, clock.now()),
    },
    {
      name: "maps: remove orphans",
      everyMs: ORPHANS_EVERY_MS,
      runsIn: "workers",
      run: (signal) => sweepMapOrphans({ blobs, clock, db, minAgeMs: config.orphanAgeMs }, signal),
    },
  ],
});
