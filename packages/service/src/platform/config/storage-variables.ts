import { integerVariable } from "./variable.ts";

/** Settings of disks and stores: quotas, reserves and sweeps. */
export const storageVariables = {
  uploadsMb: integerVariable({
    name: "SWATH_UPLOADS_MB",
    default: 1_024_000,
    min: 1,
    max: 100_000_000,
    description: "Most bytes of all uploads that wait for their bytes or their ingest, MiB; more get 507.",
  }),
  uploadsPerGroupMb: integerVariable({
    name: "SWATH_UPLOADS_PER_GROUP_MB",
    default: 256_000,
    min: 1,
    max: 100_000_000,
    description: "The same for the uploads of one group, MiB.",
  }),
  workMb: integerVariable({
    name: "SWATH_WORK_MB",
    default: 1_024_000,
    min: 1,
    max: 100_000_000,
    description: "Most bytes of the temporary files of all pipelines of one machine, MiB; beyond it pipelines wait.",
  }),
  workPerPipelineMb: integerVariable({
    name: "SWATH_WORK_PER_PIPELINE_MB",
    default: 256_000,
    min: 1,
    max: 100_000_000,
    description: "The same for one pipeline, MiB; a pipeline that needs more fails with INSUFFICIENT-STORAGE.",
  }),
  resultsMb: integerVariable({
    name: "SWATH_RESULTS_MB",
    default: 20_000,
    min: 1,
    max: 100_000_000,
    description:
      "Most bytes of the requests and results of ended pipelines in the database, MiB; a quarter of it for one group. " +
      "Beyond it the oldest results are dropped before SWATH_RESULT_DAYS are over.",
  }),
  orphanHours: integerVariable({
    name: "SWATH_ORPHAN_HOURS",
    default: 24,
    min: 3,
    max: 8_760,
    description:
      "Least age of remains of killed processes that the sweep removes, hours: blobs without rows, unfinished writes, " +
      "work folders. No run takes longer.",
  }),
  diskReserveMb: integerVariable({
    name: "SWATH_DISK_RESERVE_MB",
    default: 512,
    min: 0,
    max: 100_000_000,
    description:
      "Free space that uploads and pipelines leave on the disks of SWATH_DATA and SWATH_BLOB_FOLDER, MiB. Uploads and " +
      "new pipelines that would not get 507, and accepted pipelines wait.",
  }),
} as const;
