import type { BlobSettings } from "@swath/base/blobs/open-blob-store";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { LogLevel } from "@swath/base/log/log";
import type { InstalledModel, ModelLimits } from "@swath/maps/models/runtime/installed-model";
import type { FileLimits } from "@swath/raster/store/file-limits";
import { readModels } from "@swath/maps/models/runtime/read-models";
import type { WorkQuotas } from "../uploads/work-quota.ts";
import type { QueueLimits } from "../queue/lane.ts";
import { issuerSettings, type IssuerSettings } from "./issuer-variables.ts";
import { nearestSetting } from "./misspelt-variables.ts";
import { tierWeights } from "./tier-weights.ts";
import { trafficSettings, type TrafficSettings } from "./traffic-variables.ts";
import type { Variable } from "./variable.ts";
import { CONFIG_FILE_VARIABLE, variables } from "./variables.ts";

/** The whole configuration, checked. */
export interface Config {
  readonly dataFolder: string;
  /** Configuration of providers, datasets and sources, unchecked; null: the built-in demonstration. */
  readonly catalog: { readonly path: string; readonly document: unknown } | null;
  readonly roles: { readonly api: boolean; readonly worker: boolean };
  readonly http: {
    readonly host: string;
    readonly port: number;
    readonly publicUrl: string | null;
    /** Tokens of each caller by the class of requests; null: nothing is limited. */
    readonly rateLimits: Readonly<
      Record<"read" | "initiate" | "grid", { readonly perSecond: number; readonly burst: number }>
    > | null;
    /** Factors of the limits by tier. */
    readonly tierLimits: ReadonlyMap<string, number>;
    readonly corsOrigins: readonly string[] | "*" | null;
    readonly trustProxy: boolean;
    /** Bounds on the share of one caller in the server. */
    readonly traffic: TrafficSettings;
    readonly mapsvcAlias: string | null;
    readonly validateResponses: boolean;
  };
  /** Null: no port for operators. */
  readonly ops: { readonly host: string; readonly port: number } | null;
  /** Token that readers of metrics need; null: none. */
  readonly metricsToken: string | null;
  readonly database: {
    /** Null: the embedded PostgreSQL. */
    readonly url: string | null;
    readonly connections: number;
    /** Whether connections prepare statements that are sent again and again. */
    readonly keepPlans: boolean;
  };
  readonly blobs: BlobSettings;
  readonly admin: { readonly email: string; readonly password: string | null };
  /** Null: no demonstration user. */
  readonly demo: { readonly email: string; readonly password: string | null; readonly credit: number } | null;
  /** Null: the built-in provider. */
  readonly externalIssuer: IssuerSettings | null;
  readonly pipelineConcurrency: number;
  readonly quickPipelineConcurrency: number;
  readonly callerSharePercent: number;
  /** Pipelines of one caller that run in a lane of all processes. */
  readonly runningPerCaller: number;
  readonly queue: QueueLimits;
  readonly tileWorkers: number;
  /** Null: there are no models. */
  readonly models: {
    readonly folder: string;
    readonly installed: readonly InstalledModel[];
    readonly limits: ModelLimits;
  } | null;
  readonly blockCacheBytes: number;
  readonly renderedCacheBytes: number;
  readonly maxUploadBytes: number;
  readonly fileLimits: FileLimits;
  /** The environment of processes that read foreign files: it finds GDAL and holds no secret. */
  readonly toolEnvironment: Readonly<Record<string, string>>;
  /** Most bytes of uploads that wait for their bytes or their ingest. */
  readonly uploadQuotas: { readonly totalBytes: number; readonly groupBytes: number };
  readonly workQuotas: WorkQuotas;
  readonly resultsBytes: number;
  readonly orphanAgeMs: number;
  readonly diskReserveBytes: number;
  readonly retentionDays: number;
  /** Days that events stay. */
  readonly eventDays: number;
  /** Credits of a group; a fall below them is an event. */
  readonly lowCredit: number;
  /** Origins that webhooks may reach besides public hosts by https. */
  readonly webhookHosts: readonly string[];
  readonly drainMs: number;
  /** Seconds of a rehearsed order per second of the clock. */
  readonly taskingSpeed: number;
  readonly logLevel: LogLevel;
}

/** Everything that is wrong with the configuration, together. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`the configuration has ${faults.length} fault${faults.length === 1 ? "" : "s"}:\n  ${faults.join("\n  ")}`);
    this.faults = faults;
  }
}

/** Settings by name, as of a process's environment. */
export type Settings = Readonly<Record<string, string | undefined>>;

const MIB = 1024 * 1024;
const PATH_SEGMENT = /^[A-Za-z0-9._~-]{1,64}$/u;

/** Faults of the document that SWATH_CATALOG names, each beginning with its place. */
export type CatalogueCheck = (catalog: NonNullable<Config["catalog"]>) => readonly string[];

/**
 * Reads the configuration from the environment, under the overrides given and over the JSON file that
 * SWATH_CONFIG names.
 *
 * @param checkCatalogue so that its faults are named together with the others
 * @throws {ConfigError} naming every fault
 */
export function readConfig(overrides: Settings = {}, checkCatalogue: CatalogueCheck = () => []): Config {
  return parseConfig({ ...process.env, ...overrides }, checkCatalogue);
}

/** As `readConfig`, from the given settings alone. */
export function parseConfig(environment: Settings, checkCatalogue: CatalogueCheck = () => []): Config {
  const faults: string[] = [];
  const settings = { ...fileSettings(environment[CONFIG_FILE_VARIABLE], faults), ...withoutEmpty(environment) };
  const read = <Value>(variable: Variable<Value>): Value => {
    const text = settings[variable.name] ?? variable.defaultText;
    try {
      return text === null ? (variable.whenAbsent as Value) : variable.parse(text);
    } catch (error) {
      faults.push(`${variable.name}: ${error instanceof Error ? error.message : String(error)}`);
      return variable.defaultText === null ? (variable.whenAbsent as Value) : variable.parse(variable.defaultText);
    }
  };
  const v = variables;
  const dataFolder = resolve(read(v.data));
  const roles = read(v.roles);
  const databaseUrl = read(v.databaseUrl);
  if (roles !== "all" && databaseUrl === null) {
    faults.push(
      `${v.roles.name}: "${roles}" alone needs ${v.databaseUrl.name}, because the embedded database serves one process`,
    );
  }
  const config: Config = {
    dataFolder,
    catalog: catalogFile(read(v.catalog), faults),
    roles: { api: roles !== "worker", worker: roles !== "api" },
    http: httpSettings(read, faults),
    ops: read(v.opsPort) === 0 ? null : { host: read(v.opsHost), port: read(v.opsPort) },
    metricsToken: read(v.metricsToken),
    database: { url: databaseUrl, connections: read(v.databaseConnections), keepPlans: read(v.databasePlans) },
    blobs: blobs(read, dataFolder, faults),
    admin: { email: read(v.adminEmail), password: read(v.adminPassword) },
    demo: read(v.demoUser)
      ? { email: read(v.demoEmail), password: read(v.demoPassword), credit: read(v.demoCredit) }
      : null,
    externalIssuer: issuerSettings(read, faults),
    pipelineConcurrency: read(v.pipelines),
    quickPipelineConcurrency: read(v.quickPipelines),
    callerSharePercent: read(v.callerShare),
    runningPerCaller: read(v.runningPerCaller),
    queue: { waitingPerCaller: read(v.queuedPerCaller), tierWeights: tiers(read, v.tierWeights, faults) },
    tileWorkers: read(v.tileWorkers),
    models: models(read, faults),
    blockCacheBytes: read(v.blockCacheMb) * MIB,
    renderedCacheBytes: read(v.renderedCacheMb) * MIB,
    maxUploadBytes: read(v.maxUploadMb) * MIB,
    fileLimits: {
      memoryBytes: read(v.fileMemoryMb) * MIB,
      baseMs: read(v.fileSeconds) * 1000,
      msPerGib: read(v.fileSecondsPerGib) * 1000,
    },
    toolEnvironment: toolEnvironment(environment),
    uploadQuotas: { totalBytes: read(v.uploadsMb) * MIB, groupBytes: read(v.uploadsPerGroupMb) * MIB },
    workQuotas: { totalBytes: read(v.workMb) * MIB, folderBytes: read(v.workPerPipelineMb) * MIB },
    resultsBytes: read(v.resultsMb) * MIB,
    orphanAgeMs: read(v.orphanHours) * 3_600_000,
    diskReserveBytes: read(v.diskReserveMb) * MIB,
    retentionDays: read(v.retentionDays),
    eventDays: read(v.eventDays),
    lowCredit: read(v.lowCredit),
    webhookHosts: read(v.webhookHosts),
    drainMs: read(v.drainSeconds) * 1_000,
    taskingSpeed: read(v.taskingSpeed),
    logLevel: read(v.logLevel),
  };
  if (config.catalog !== null) faults.push(...checkCatalogue(config.catalog));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

const TOOL_VARIABLES = ["PATH", "TMPDIR", "LD_LIBRARY_PATH", "GDAL_DATA", "PROJ_DATA", "PROJ_LIB"];

function toolEnvironment(environment: Settings): Config["toolEnvironment"] {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && TOOL_VARIABLES.includes(name) ? [[name, value]] : [],
    ),
  );
}

type Read = <Value>(variable: Variable<Value>) => Value;

function tiers(read: Read, variable: Variable<string>, faults: string[]): ReadonlyMap<string, number> {
  return tierWeights(read(variable), variable.name, faults);
}

function httpSettings(read: Read, faults: string[]): Config["http"] {
  const v = variables;
  return {
    host: read(v.host),
    port: read(v.port),
    publicUrl: read(v.publicUrl),
    rateLimits: read(v.rateLimit) ? rateLimits(read) : null,
    tierLimits: tiers(read, v.tierLimits, faults),
    corsOrigins: corsOrigins(read(v.corsOrigins)),
    trustProxy: read(v.trustProxy),
    traffic: trafficSettings(read),
    mapsvcAlias: mapsvcAlias(read, faults),
    validateResponses: read(v.validateResponses),
  };
}

function blobs(read: Read, dataFolder: string, faults: string[]): BlobSettings {
  const v = variables;
  if (read(v.blobs) === "fs") return { kind: "fs", folder: resolve(read(v.blobFolder) ?? join(dataFolder, "blobs")) };
  const bucket = read(v.s3Bucket);
  if (bucket === null) faults.push(`${v.s3Bucket.name}: required with ${v.blobs.name}=s3`);
  const accessKeyId = read(v.s3AccessKeyId);
  const secretAccessKey = read(v.s3SecretAccessKey);
  if ((accessKeyId === null) !== (secretAccessKey === null)) {
    faults.push(`${v.s3AccessKeyId.name} and ${v.s3SecretAccessKey.name}: expected both or neither`);
  }
  return {
    kind: "s3",
    bucket: bucket ?? "",
    keyPrefix: read(v.s3Prefix).replaceAll(/^\/+|\/+$/gu, ""),
    region: read(v.s3Region),
    endpoint: read(v.s3Endpoint),
    pathStyle: read(v.s3PathStyle),
    credentials: accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey },
  };
}

function mapsvcAlias(read: Read, faults: string[]): string | null {
  const { name } = variables.mapsvcAlias;
  const alias = read(variables.mapsvcAlias);
  if (alias !== null && !PATH_SEGMENT.test(alias)) {
    faults.push(`${name}: got "${alias}", expected one path segment of letters, digits and ._~-`);
  }
  return alias;
}

function rateLimits(read: Read): NonNullable<Config["http"]["rateLimits"]> {
  const v = variables;
  return {
    read: { perSecond: read(v.readsPerSecond), burst: read(v.readBurst) },
    initiate: { perSecond: read(v.initiatesPerSecond), burst: read(v.initiateBurst) },
    grid: { perSecond: read(v.gridFilesPerSecond), burst: read(v.gridFileBurst) },
  };
}

function models(read: Read, faults: string[]): Config["models"] {
  const folder = read(variables.models);
  const limits = {
    timeoutMs: read(variables.modelTimeoutSeconds) * 1000,
    memoryBytes: read(variables.modelMemoryMb) * MIB,
  };
  if (folder === null) return null;
  const found = readModels(resolve(folder), limits.memoryBytes);
  faults.push(...found.faults.map((fault) => `${variables.models.name}: ${fault}`));
  return { folder: resolve(folder), installed: found.models, limits };
}

function catalogFile(path: string | null, faults: string[]): Config["catalog"] {
  if (path === null) return null;
  const document = jsonFile(path, variables.catalog.name, faults);
  return document === undefined ? null : { path, document };
}

/** The JSON value in a file; undefined, and a fault, when it cannot be read. */
function jsonFile(path: string, variable: string, faults: string[]): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    faults.push(`${variable}: ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function corsOrigins(text: string): readonly string[] | "*" | null {
  if (text === "*") return "*";
  return text === "off" ? null : listItems(text);
}

function listItems(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** An empty variable counts as absent: shells and container files cannot easily unset one. */
function withoutEmpty(environment: Settings): Settings {
  return Object.fromEntries(Object.entries(environment).filter(([, text]) => text !== undefined && text !== ""));
}

function suggestion(name: string): string {
  const near = nearestSetting(name);
  return near === null ? "" : `; did you mean ${near}?`;
}

function fileSettings(path: string | undefined, faults: string[]): Settings {
  if (path === undefined || path === "") return {};
  const parsed = jsonFile(path, CONFIG_FILE_VARIABLE, faults);
  if (parsed === undefined) return {};
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    faults.push(`${CONFIG_FILE_VARIABLE}: ${path} is not a JSON object of settings by name`);
    return {};
  }
  const known = new Set<string>(Object.values(variables).map(({ name }) => name));
  const settings: Record<string, string> = {};
  for (const [name, value] of Object.entries(parsed)) {
    if (!known.has(name)) faults.push(`${path}: there is no setting ${name}${suggestion(name)}`);
    else if (typeof value === "boolean") settings[name] = value ? "on" : "off";
    else if (typeof value === "string" || typeof value === "number") settings[name] = String(value);
    else faults.push(`${name}: expected a text, a number or a boolean in ${path}`);
  }
  return settings;
}
