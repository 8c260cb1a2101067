import { pino, stdTimeFunctions, type LevelWithSilent } from "pino";

/** Levels from the most to the least talkative. */
export const LOG_LEVELS = [
  "trace",
  "debug",
  "info",
  "warn",
  "error",
  "fatal",
  "silent",
] as const satisfies readonly LevelWithSilent[];
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Structured log: fields first, then a sentence in lower case. Never given tokens, passwords or request bodies. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Writes one JSON object per line to standard error, so that standard output stays for people. */
export function createLog(level: LogLevel): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: describeError, cause: describeError },
      redact: ["password", "authorization", "token", "*.password", "*.authorization", "*.token"],
    },
    pino.destination({ fd: 2, sync: true }),
  );
}

/** Most logged causes of an error. */
const MAX_CAUSES = 5;
/** Logged members of errors. Others are omitted, because drivers attach connections, statements and rows. */
const TELLING = ["code", "constraint", "table", "where", "status", "syscall", "path", "address", "port"] as const;

/** Logged form of a thrown value: kind, message, stack, a few plain members, and the same of its causes. */
export function describeError(thrown: unknown, depth = 0): unknown {
  if (!(thrown instanceof Error)) return typeof thrown === "object" ? Object.prototype.toString.call(thrown) : thrown;
  const members: Record<string, unknown> = { type: thrown.name, message: thrown.message };
  for (const name of TELLING) {
    const value: unknown = Reflect.get(thrown, name);
    if (typeof value === "string" || typeof value === "number") members[name] = value;
  }
  if (thrown.stack !== undefined) members["stack"] = thrown.stack;
  if (thrown.cause !== undefined && depth < MAX_CAUSES) members["cause"] = describeError(thrown.cause, depth + 1);
  if (thrown instanceof AggregateError && depth < MAX_CAUSES) {
    members["errors"] = thrown.errors.slice(0, MAX_CAUSES).map((error: unknown) => describeError(error, depth + 1));
  }
  return members;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
