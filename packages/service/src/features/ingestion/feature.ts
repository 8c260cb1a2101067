import { ingestionContract } from "@swath/contract/features/ingestion/contract";
import { UploadProcesses } from "@swath/raster/store/upload-processes";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { audit } from "../audit/feature.ts";
import { baselines } from "../baselines/feature.ts";
import { imagery } from "../imagery/feature.ts";
import { FETCH_LANE } from "./ensure-stored.ts";
import { ingestionHandlers } from "./handlers.ts";
import { createIngestionService } from "./service.ts";

const SWEEP = "ingestion: remove uploads";
const SWEEP_EVERY_MS = 10 * 60_000;
/** A sweep lists every blob. */
const ORPHANS_EVERY_MS = 6 * 60 * 60_000;
/** Pause before bytes that were used are removed: the transaction of their run ends first. */
const USED_BYTES_MS = 1_000;

export const ingestion = defineFeature({
  name: "ingestion",
  contract: ingestionContract,
  needs: [
    "areas",
    "blobs",
    "catalog",
    "clock",
    "config",
    "db",
    "disk",
    "folders",
    "items",
    "log",
    "queue",
    "schedule",
    "secrets",
    "sources",
    "storage",
    "uploads",
    audit,
    baselines,
    imagery,
  ],
  create: ({ baselines: orbits, config, queue, schedule, secrets, ...needs }) => {
    const processes = new UploadProcesses(config.fileLimits, config.toolEnvironment);
    const service = createIngestionService({
      ...needs,
      orbits,
      pipelines: queue,
      readUpload: (job, signal, onProgress) => processes.read(job, signal, onProgress),
      signingKeys: secrets.keysFor("upload addresses"),
      maxUploadBytes: config.maxUploadBytes,
      quotas: config.uploadQuotas,
      minAgeMs: config.orphanAgeMs,
      onBytesUsed: () => schedule.soon(SWEEP, USED_BYTES_MS),
    });
    return { ...service, [Symbol.asyncDispose]: () => processes[Symbol.asyncDispose]() };
  },
  handlers: ingestionHandlers,
  pipelines: (service, { config: { tileWorkers } }) => ({
    // Half of the time of a fetch goes into waiting for bytes.
    pools: [
      { lane: FETCH_LANE, handlers: service.fetchHandlers, concurrency: Math.max(2, Math.floor(tileWorkers / 2)) },
    ],
    // An ingest fills memory and processors as no other pipeline does.
    limits: { [ingestionContract.ingestScenePipeline.path]: Math.max(1, Math.floor(tileWorkers / 4)) },
  }),
  schedules: (service) => [
    { name: SWEEP, everyMs: SWEEP_EVERY_MS, runsIn: "every process", run: () => service.sweep() },
    {
      name: "ingestion: remove deleted scenes",
      everyMs: SWEEP_EVERY_MS,
      runsIn: "workers",
      run: (signal) => service.sweepDeleted(signal),
    },
    {
      name: "ingestion: remove orphans",
      everyMs: ORPHANS_EVERY_MS,
      runsIn: "workers",
      run: (signal) => service.sweepOrphans(signal),
    },
  ],
});
