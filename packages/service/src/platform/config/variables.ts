import { availableParallelism } from "node:os";
import { LOG_LEVELS } from "@swath/base/log/log";
import { DEFAULT_FILE_LIMITS } from "@swath/raster/store/file-limits";
import { databaseVariables } from "./database-variables.ts";
import { eventVariables } from "./event-variables.ts";
import { issuerVariables } from "./issuer-variables.ts";
import { opsVariables } from "./ops-variables.ts";
import { trafficVariables } from "./traffic-variables.ts";
import { storageVariables } from "./storage-variables.ts";
import { choiceVariable, integerVariable, switchVariable, textVariable, urlVariable } from "./variable.ts";

/** Every setting of the service, in the order of the reference. */
export const variables = {
  data: textVariable({
    name: "SWATH_DATA",
    default: ".swath",
    description:
      "Folder of the data of the service on this machine: the embedded database and, without S3, the imagery. " +
      "One running service per folder.",
  }),
  catalog: textVariable({
    name: "SWATH_CATALOG",
    default: null,
    shownDefault: "the simulated demonstration",
    description:
      "JSON file of providers and datasets: names, prices and sources of scenes. See [catalog.md](catalog.md).",
  }),
  taskingSpeed: integerVariable({
    name: "SWATH_TASKING_SPEED",
    default: 1,
    min: 1,
    max: 10_000_000,
    description:
      "Seconds that pass for an order at the simulated constellation in one second; 86400 rehearses a day in a second. " +
      "Change it only while no order is open: the time of every order counts from its placing.",
  }),
  roles: choiceVariable({
    name: "SWATH_ROLES",
    default: "all",
    choices: ["all", "api", "worker"],
    description:
      "Role of this process: answer requests and run quick pipelines (`api`), run all pipelines (`worker`) or both. `api` and `worker` alone need DATABASE_URL.",
  }),
  host: textVariable({
    name: "SWATH_HOST",
    default: "127.0.0.1",
    description: "Address to listen on; `0.0.0.0` for every network interface.",
  }),
  port: integerVariable({
    name: "SWATH_PORT",
    default: 8080,
    min: 0,
    max: 65_535,
    description: "TCP port to listen on; 0 takes a free one.",
  }),
  publicUrl: urlVariable({
    name: "SWATH_PUBLIC_URL",
    schemes: ["http", "https"],
    shownDefault: "the listening address",
    description:
      "Address under which clients reach the service, used in links and as the issuer of tokens. " +
      "Set it behind a proxy, for a host name, and when several `api` processes run. " +
      "Without it, links hold the listening or a loopback address, never another `Host`.",
  }),
  ...opsVariables,
  ...databaseVariables,
  blobs: choiceVariable({
    name: "SWATH_BLOBS",
    default: "fs",
    choices: ["fs", "s3"],
    description:
      "Store of the imagery: files or an S3 bucket. Processes on several machines need `s3` or a shared folder.",
  }),
  blobFolder: textVariable({
    name: "SWATH_BLOB_FOLDER",
    default: null,
    shownDefault: "`blobs` in SWATH_DATA",
    description: "Folder of the imagery with `SWATH_BLOBS=fs`.",
  }),
  s3Bucket: textVariable({
    name: "SWATH_S3_BUCKET",
    default: null,
    description: "Bucket with `SWATH_BLOBS=s3`; it must exist.",
  }),
  s3Prefix: textVariable({
    name: "SWATH_S3_PREFIX",
    default: "",
    description: "Prefix of every key, without slashes at its ends.",
  }),
  s3Region: textVariable({ name: "SWATH_S3_REGION", default: "us-east-1", description: "Region of the bucket." }),
  s3Endpoint: urlVariable({
    name: "SWATH_S3_ENDPOINT",
    schemes: ["http", "https"],
    shownDefault: "Amazon's, by region",
    description: "Address of an S3-compatible server.",
  }),
  s3PathStyle: switchVariable({
    name: "SWATH_S3_PATH_STYLE",
    default: false,
    description: "Whether the path names the bucket instead of the host name, as most compatible servers require.",
  }),
  s3AccessKeyId: textVariable({
    name: "SWATH_S3_ACCESS_KEY_ID",
    default: null,
    shownDefault: "the SDK's usual chain",
    isSecret: true,
    description:
      "Access key, together with its secret. By default the AWS SDK uses environment, profile or role of the machine.",
  }),
  s3SecretAccessKey: textVariable({
    name: "SWATH_S3_SECRET_ACCESS_KEY",
    default: null,
    shownDefault: "the SDK's usual chain",
    isSecret: true,
    description: "Secret of SWATH_S3_ACCESS_KEY_ID.",
  }),
  adminEmail: textVariable({
    name: "SWATH_ADMIN_EMAIL",
    default: "admin@swath.local",
    description: "E-mail of the administrator that the first start creates.",
  }),
  adminPassword: textVariable({
    name: "SWATH_ADMIN_PASSWORD",
    default: null,
    shownDefault: "generated and printed once",
    isSecret: true,
    description: "Password of the administrator that the first start creates; later starts ignore it.",
  }),
  demoUser: switchVariable({
    name: "SWATH_DEMO_USER",
    default: true,
    description: "Whether the first start creates a demonstration user with credit.",
  }),
  demoEmail: textVariable({
    name: "SWATH_DEMO_EMAIL",
    default: "demo@swath.local",
    description: "E-mail of the demonstration user.",
  }),
  demoPassword: textVariable({
    name: "SWATH_DEMO_PASSWORD",
    default: null,
    shownDefault: "generated and printed once",
    isSecret: true,
    description: "Password of the demonstration user when the first start creates it.",
  }),
  demoCredit: integerVariable({
    name: "SWATH_DEMO_CREDIT",
    default: 1_000,
    min: 0,
    max: 1_000_000_000,
    description: "Credit given to the demonstration user's group when the first start creates it.",
  }),
  ...issuerVariables,
  rateLimit: switchVariable({
    name: "SWATH_RATE_LIMIT",
    default: true,
    description:
      "Whether each caller has the limits below, in every process: a user, or an address where there is no token. A " +
      "request takes one token, and more by its size and its work: [limits.md](limits.md).",
  }),
  readsPerSecond: integerVariable({
    name: "SWATH_READS_PER_SECOND",
    default: 500,
    min: 1,
    max: 1_000_000,
    description: "Tokens that a caller gains each second for requests that read.",
  }),
  readBurst: integerVariable({
    name: "SWATH_READ_BURST",
    default: 1_000,
    min: 1,
    max: 1_000_000,
    description: "Most tokens that a caller keeps for requests that read.",
  }),
  initiatesPerSecond: integerVariable({
    name: "SWATH_INITIATES_PER_SECOND",
    default: 200,
    min: 1,
    max: 1_000_000,
    description: "Tokens that a caller gains each second for starting pipelines and for other changes.",
  }),
  initiateBurst: integerVariable({
    name: "SWATH_INITIATE_BURST",
    default: 1_000,
    min: 200,
    max: 1_000_000,
    description: "Most tokens that a caller keeps for starting pipelines and for other changes.",
  }),
  gridFilesPerSecond: integerVariable({
    name: "SWATH_GRID_FILES_PER_SECOND",
    default: 200,
    min: 1,
    max: 1_000_000,
    description: "Grid files that an address may read each second.",
  }),
  gridFileBurst: integerVariable({
    name: "SWATH_GRID_FILE_BURST",
    default: 600,
    min: 1,
    max: 1_000_000,
    description: "Grid files that an address may read at once.",
  }),
  tierLimits: textVariable({
    name: "SWATH_TIER_LIMITS",
    default: "",
    description:
      "Factors of the limits of tiers of groups, such as `gold=4,trial=0.5`: users of a gold group have four times " +
      "the tokens of a user whose tier is not listed. A change of a tier takes effect within a second.",
  }),
  corsOrigins: textVariable({
    name: "SWATH_CORS_ORIGINS",
    default: "*",
    description: "Origins that browsers may call from, separated by commas; `*` for every one, `off` for none.",
  }),
  trustProxy: switchVariable({
    name: "SWATH_TRUST_PROXY",
    default: false,
    description: "Believe `X-Forwarded-*` headers; only behind a proxy that sets them.",
  }),
  ...trafficVariables,
  mapsvcAlias: textVariable({
    name: "SWATH_MAPSVC_ALIAS",
    default: null,
    description: "Alias of the first path segment `mapsvc`.",
  }),
  pipelines: integerVariable({
    name: "SWATH_PIPELINES",
    default: 4,
    min: 1,
    max: 64,
    description: "Most concurrent heavy pipelines of one worker process; fewer of some kinds.",
  }),
  quickPipelines: integerVariable({
    name: "SWATH_QUICK_PIPELINES",
    default: 8,
    min: 1,
    max: 64,
    description:
      "Most concurrent quick pipelines, such as searches, of one process: as many run in the process that accepts " +
      "them, and as many of those that wait in each process. They take no place of a heavy one.",
  }),
  callerShare: integerVariable({
    name: "SWATH_CALLER_SHARE_PERCENT",
    default: 75,
    min: 1,
    max: 100,
    description:
      "Share of the places of a lane that the pipelines of one user within one group take in a process, percent; one " +
      "place at least. The others stay free for other users.",
  }),
  runningPerCaller: integerVariable({
    name: "SWATH_RUNNING_PER_CALLER",
    default: 32,
    min: 1,
    max: 10_000,
    description:
      "Most pipelines of one user within one group that the workers of one database run at once in a lane, in all " +
      "processes together. Quick pipelines in their first 100 ms in the accepting process are not counted.",
  }),
  queuedPerCaller: integerVariable({
    name: "SWATH_QUEUED_PER_CALLER",
    default: 1_000,
    min: 200,
    max: 100_000,
    description:
      "Most pipelines of one user within one group that wait in a lane; more are refused with 429 and Retry-After.",
  }),
  tierWeights: textVariable({
    name: "SWATH_TIER_WEIGHTS",
    default: "",
    description:
      "Turns of the tiers of groups in the queue, such as `gold=4,silver=2`: users of a gold group have four " +
      "pipelines run for each of a tier that is not listed.",
  }),
  tileWorkers: integerVariable({
    name: "SWATH_TILE_WORKERS",
    default: Math.min(8, availableParallelism()),
    shownDefault: "number of processors, at most 8",
    min: 1,
    max: 64,
    description: "Threads that render grid files.",
  }),
  models: textVariable({
    name: "SWATH_MODELS",
    default: null,
    description:
      "Folder of trained models: each sub-folder holds `manifest.json` and `model.onnx` and becomes a map type: [map-types/models.md](map-types/models.md). Needs ONNX Runtime: `npm run models:install`.",
  }),
  modelTimeoutSeconds: integerVariable({
    name: "SWATH_MODEL_TIMEOUT_SECONDS",
    default: 60,
    min: 1,
    max: 3600,
    description:
      "Most time of a model for one tile, four times this for its first. A slower model is stopped and the map fails. With less than a quarter of a processor it has four times as long.",
  }),
  modelMemoryMb: integerVariable({
    name: "SWATH_MODEL_MEMORY_MB",
    default: 1024,
    min: 64,
    max: 4096,
    description:
      "Most memory of a running model, MiB, beside 256 MiB of its process; one runs per thread of SWATH_TILE_WORKERS. Larger files of models are refused.",
  }),
  blockCacheMb: integerVariable({
    name: "SWATH_BLOCK_CACHE_MB",
    default: 128,
    min: 8,
    max: 65_536,
    description: "Memory for decoded blocks of imagery, MiB; tile requests fill it.",
  }),
  renderedCacheMb: integerVariable({
    name: "SWATH_RENDERED_CACHE_MB",
    default: 64,
    min: 0,
    max: 65_536,
    description: "Memory for finished grid files, MiB.",
  }),
  maxUploadMb: integerVariable({
    name: "SWATH_MAX_UPLOAD_MB",
    default: 51_200,
    min: 1,
    max: 5_000_000,
    description: "Largest upload, MiB.",
  }),
  fileMemoryMb: integerVariable({
    name: "SWATH_FILE_MEMORY_MB",
    default: DEFAULT_FILE_LIMITS.memoryBytes / 2 ** 20,
    min: 256,
    max: 1_048_576,
    description:
      "Most memory of a process that reads an uploaded file, MiB; a file that takes more fails with SCENE-UNREADABLE. " +
      "Images with large strips or tiles need up to 2 GiB.",
  }),
  fileSeconds: integerVariable({
    name: "SWATH_FILE_SECONDS",
    default: DEFAULT_FILE_LIMITS.baseMs / 1000,
    min: 1,
    max: 86_400,
    description: "Most time to read an uploaded file of no size, seconds; a slower one fails with SCENE-UNREADABLE.",
  }),
  fileSecondsPerGib: integerVariable({
    name: "SWATH_FILE_SECONDS_PER_GIB",
    default: DEFAULT_FILE_LIMITS.msPerGib / 1000,
    min: 1,
    max: 1_000_000,
    description:
      "More time for each GiB of an uploaded file and of its decoded pixels, seconds; 20 are usual on two processors.",
  }),
  ...storageVariables,
  retentionDays: integerVariable({
    name: "SWATH_RESULT_DAYS",
    default: 30,
    min: 1,
    max: 3_650,
    description: "Days that results of pipelines stay.",
  }),
  ...eventVariables,
  drainSeconds: integerVariable({
    name: "SWATH_DRAIN_SECONDS",
    default: 10,
    min: 0,
    max: 600,
    description: "Longest wait of a stopping process for running requests and then pipelines.",
  }),
  logLevel: choiceVariable({
    name: "SWATH_LOG_LEVEL",
    default: "info",
    choices: LOG_LEVELS,
    description: "Least severity of log lines, JSON on standard error.",
  }),
  validateResponses: switchVariable({
    name: "SWATH_VALIDATE_RESPONSES",
    default: false,
    description: "Check every answer against its schema; for tests and development.",
  }),
} as const;

/** JSON file with further settings, by the same names; the environment goes before it. */
export const CONFIG_FILE_VARIABLE = "SWATH_CONFIG";
