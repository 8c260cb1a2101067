import { Kysely, PostgresDialect } from "kysely";
import { Pool, types } from "pg";
import type { Log } from "@swath/base/log/log";
import { hearAnnouncements } from "./announced-changes.ts";
import { createPlanNames, keepPlans } from "./kept-plans.ts";
import type { Database } from "./schema.ts";

export interface PoolOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  readonly maxConnections: number;
  /** A statement running longer is cancelled by the server; 0 for no limit. */
  readonly statementTimeoutMs: number;
  readonly log: Log;
  /** Whether connections prepare statements that are sent again and again; they do unless false. */
  readonly keepPlans?: boolean;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
}

/** Connections of a pool at present. */
export interface PoolCounts {
  readonly open: number;
  readonly idle: number;
  /** Queries that wait for a connection. */
  readonly waiting: number;
}

export interface DatabasePool extends AsyncDisposable {
  readonly db: Kysely<Database>;
  readonly counts: () => PoolCounts;
  /** Calls back with each subject whose rights a transaction of this pool has changed; see `announced-changes.ts`. */
  readonly onAnnounced: (listener: (subject: string) => void) => void;
}

const INT8_OID = 20;
const DATE_OID = 1082;

/**
 * `int8` arrives as a number: counts, sizes and micro-credits fit 2^53 with room to spare, and one numeric type
 * keeps arithmetic honest. A value beyond that fails the query instead of losing digits.
 */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database value ${text} is beyond 2^53`);
  return value;
}

const parsers = {
  getTypeParser(oid: number, format?: "text" | "binary"): unknown {
    if (format !== "binary") {
      if (oid === INT8_OID) return parseInt8;
      // A date has no time zone: the driver's own parser would read it in the local one.
      if (oid === DATE_OID) return (text: string) => text;
    }
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the driver types the ids of built-in types only
    return types.getTypeParser(oid, format);
  },
};

/** Opens a pool of connections; the first one is made by the first query. */
export function openPool(options: PoolOptions): DatabasePool {
  const pool = new Pool({
    connectionString: options.url,
    max: options.maxConnections,
    application_name: options.applicationName ?? "swath",
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: Math.min(options.statementTimeoutMs, 15_000),
    // A transaction left open by a bug must not hold row locks for ever.
    idle_in_transaction_session_timeout: 60_000,
    types: parsers,
  });
  const names = options.keepPlans === false ? null : createPlanNames();
  const listeners: ((subject: string) => void)[] = [];
  // An idle connection that the server closes is replaced by the next query; all of them close when it restarts.
  pool.on("error", ({ message }) => options.log.info({ reason: message }, "an idle database connection was closed"));
  // One in use loses its listener to the pool's idle ones: without this, the end of its connection would be an error
  // that nothing handles and end the process. Whoever uses it learns from its statement.
  pool.on("connect", (client) => {
    if (names !== null) keepPlans(client, names);
    hearAnnouncements(client, (subject) => {
      for (const listener of listeners) listener(subject);
    });
    client.on("error", () => {});
  });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    counts: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    onAnnounced: (listener) => void listeners.push(listener),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}
