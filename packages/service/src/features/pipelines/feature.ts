import { pipelinesContract } from "@swath/contract/features/pipelines/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { boundResults } from "./bound-results.ts";
import { createPipelineList } from "./list-pipelines.ts";
import { pipelinesHandlers } from "./handlers.ts";
import { removeExpired } from "./remove-expired.ts";

const SWEEP_EVERY_MS = 10 * 60_000;
const BOUND_EVERY_MS = 60_000;

export const pipelines = defineFeature({
  name: "pipelines",
  contract: pipelinesContract,
  needs: ["config", "db", "queue"],
  create: ({ config: { retentionDays }, db, queue }) => ({ queue, list: createPipelineList({ db, retentionDays }) }),
  handlers: pipelinesHandlers,
  schedules: (_queue, { config, db }) => [
    {
      name: "pipelines: remove expired",
      everyMs: SWEEP_EVERY_MS,
      atStart: true,
      runsIn: "workers",
      run: (signal) => removeExpired(db, config.retentionDays, signal),
    },
    {
      name: "pipelines: bound results",
      everyMs: BOUND_EVERY_MS,
      atStart: true,
      runsIn: "workers",
      run: (signal) => boundResults(db, config.resultsBytes, signal),
    },
  ],
});
