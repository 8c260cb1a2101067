import { availableParallelism } from "node:os";
import { LOG_LEVELS } from "@swath/base/log/log";
import { choiceVariable, integerVariable, switchVariable, textVariable, urlVariable } from "./variable.ts";

/** Every setting of the service, in the order of the reference. */
export const variables = {
  data: textVariable({
    name: "SWATH_DATA",
    default: ".swath",
    description:
      "Folder of everything the service keeps on this machine: the embedded database and, unless S3 is used, the imagery. " +
      "One running service per folder.",
  }),
  catalog: textVariable({
    name: "SWATH_CATALOG",
    default: null,
    shownDefault: "the simulated demonstration",
    description:
      "JSON file that says which providers and datasets there are, under which names and prices, and where their scenes come from: [catalog.md](catalog.md).",
  }),
  roles: choiceVariable({
    name: "SWATH_ROLES",
    default: "all",
    choices: ["all", "api", "worker"],
    description:
      "What this process does: answer requests (`api`), run pipelines (`worker`) or both. `api` and `worker` alone need DATABASE_URL.",
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
    shownDefault: "taken from each request",
    description:
      "Address under which clients reach the service, used in links and as the issuer of tokens. " +
      "Set it behind a proxy and when several `api` processes run.",
  }),
  databaseUrl: urlVariable({
    name: "DATABASE_URL",
    schemes: ["postgres", "postgresql"],
    shownDefault: "the embedded PostgreSQL",
    isSecret: true,
    description:
      "PostgreSQL 15 or later with the contrib extension btree_gist. Without it the service runs an embedded PostgreSQL in SWATH_DATA.",
  }),
  databaseConnections: integerVariable({
    name: "SWATH_DATABASE_CONNECTIONS",
    default: 16,
    min: 4,
    max: 500,
    description: "Most connections of the pool of one process; three more are kept for listening and locks.",
  }),
  blobs: choiceVariable({
    name: "SWATH_BLOBS",
    default: "fs",
    choices: ["fs", "s3"],
    description:
      "Where imagery is kept: in files or in an S3 bucket. Processes on several machines need `s3` or a shared folder.",
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
    description: "Put before every key, without slashes at its ends.",
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
    description: "Whether the bucket is a part of the path instead of the host name, as most compatible servers want.",
  }),
  s3AccessKeyId: textVariable({
    name: "SWATH_S3_ACCESS_KEY_ID",
    default: null,
    shownDefault: "the SDK's usual chain",
    isSecret: true,
    description:
      "Access key, together with its secret; else environment, profile or role of the machine as the AWS SDK finds them.",
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
    description: "Password of the administrator that the first start creates; later starts leave it alone.",
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
  oidcIssuer: urlVariable({
    name: "SWATH_OIDC_ISSUER",
    schemes: ["http", "https"],
    shownDefault: "the built-in provider",
    description: "OpenID Connect issuer whose tokens are accepted; the built-in provider is off then.",
  }),
  oidcAudience: textVariable({
    name: "SWATH_OIDC_AUDIENCE",
    default: null,
    description: "Audience that tokens of SWATH_OIDC_ISSUER must name; required with it.",
  }),
  oidcNewUserGroup: textVariable({
    name: "SWATH_OIDC_NEW_USER_GROUP",
    default: null,
    shownDefault: "unknown users are refused",
    description:
      "Name of an existing group: users of SWATH_OIDC_ISSUER that are not known here and whose e-mail the issuer calls verified are made in it at their first request.",
  }),
  rateLimit: switchVariable({
    name: "SWATH_RATE_LIMIT",
    default: true,
    description: "Limits per caller: 50 reads and 10 initiates a second, and 200 grid files a second and address.",
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
  maxRequests: integerVariable({
    name: "SWATH_MAX_REQUESTS",
    default: 1_000,
    min: 1,
    max: 100_000,
    description: "Requests under way above which new ones are answered 503.",
  }),
  mapsvcAlias: textVariable({
    name: "SWATH_MAPSVC_ALIAS",
    default: null,
    description: "Another first path segment that answers as `mapsvc` does.",
  }),
  pipelines: integerVariable({
    name: "SWATH_PIPELINES",
    default: 4,
    min: 1,
    max: 64,
    description: "Pipelines that one worker process runs at once; of heavy kinds fewer.",
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
    description: "A model that takes longer for one tile is stopped, and the map fails; four times this for its first.",
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
    description: "Memory for decoded blocks of imagery, MiB; filled as tiles are asked for.",
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
  retentionDays: integerVariable({
    name: "SWATH_RESULT_DAYS",
    default: 30,
    min: 1,
    max: 3_650,
    description: "Days that results of pipelines stay.",
  }),
  drainSeconds: integerVariable({
    name: "SWATH_DRAIN_SECONDS",
    default: 10,
    min: 0,
    max: 600,
    description: "How long a stopping process lets requests, and after them pipelines, end by themselves.",
  }),
  logLevel: choiceVariable({
    name: "SWATH_LOG_LEVEL",
    default: "info",
    choices: LOG_LEVELS,
    description: "Least severity that is logged, as JSON lines on standard error.",
  }),
  validateResponses: switchVariable({
    name: "SWATH_VALIDATE_RESPONSES",
    default: false,
    description: "Check every answer against its schema; for tests and development.",
  }),
} as const;

/** JSON file with further settings, by the same names; the environment goes before it. */
export const CONFIG_FILE_VARIABLE = "SWATH_CONFIG";
