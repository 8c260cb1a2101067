import type { PipelineProgress } from "../../platform/context.ts";

/** What is told of an ingestion from a provider, in order; the step of a message is its place, from 1. */
export const INGEST_STEPS: readonly PipelineProgress["message"][] = [
  "Preparing analysis",
  "Ordering data from provider",
  "Waiting for provider data to become available",
  "Downloading data from provider",
  "Analyzing",
  "Finalizing analysis",
];

export type IngestStep = 1 | 2 | 3 | 4 | 5 | 6;
