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
      redact: ["password", "authorization", "token", "*.password", "*.authorization", "*.token"],
    },
    pino.destination({ fd: 2, sync: true }),
  );
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
