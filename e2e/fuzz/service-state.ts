import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { ServiceProcess } from "../service-process.ts";
import type { FuzzWorld } from "./fuzz-world.ts";

/** Pipelines that have not ended. */
export async function pendingPipelines({ database: { db } }: FuzzWorld): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pipelines where status in ('NEW', 'PROCESSING')`.execute(db);
  return rows[0]?.waiting ?? 0;
}

/** Most time of pipelines that a suite has started. */
const PATIENCE_MS = 600_000;

/** Resolves once at most that many pipelines have not ended. @throws {Error} when they take ten minutes */
export async function waitForPipelines(world: FuzzWorld, most: number): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while ((await pendingPipelines(world)) > most) {
    if (performance.now() > deadlineMs) {
      const { rows } = await sql`
        select id, kind, status, attempt, request from pipelines where status in ('NEW', 'PROCESSING') limit 3`.execute(
        world.database.db,
      );
      throw new Error(`pipelines do not end: ${JSON.stringify(rows).slice(0, 3000)}`);
    }
    await pause(100);
  }
}

/** Pipelines that failed for no reason that their caller could know, with their requests. */
export async function brokenPipelines({ database: { db } }: FuzzWorld): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string; kind: string; error_message: string; request: unknown }>`
    select id, kind, error_message, request from pipelines
    where status = 'FAILED' and (error_code = 'ERROR' or error_message like 'processing failed repeatedly%')
    limit 20`.execute(db);
  return rows.map(
    ({ id, kind, error_message: message, request }) =>
      `${kind} ${id} is FAILED: ${message}: ${JSON.stringify(request).slice(0, 2000)}`,
  );
}

/** Errors of the log, runs of a pipeline that failed for an internal reason, and the last words of Node. */
const TELLING = /"level":[56]0|will be tried again|^\S*Error: |FATAL ERROR|^node:internal/;

/** `Request-Id` of the search for the smallest failing request: it logs the same errors again. */
export const SEARCH_ID = "search";

const readUpTo = new WeakMap<ServiceProcess, number>();

/** Lines that the service has logged as errors since the last look. */
export function loggedErrors(service: ServiceProcess): readonly string[] {
  const { output } = service;
  const from = readUpTo.get(service) ?? 0;
  const end = output.lastIndexOf("\n") + 1;
  if (end <= from) return [];
  readUpTo.set(service, end);
  return output
    .slice(from, end)
    .split("\n")
    .filter((line) => TELLING.test(line) && !line.includes(`"requestId":"${SEARCH_ID}"`))
    .map((line) => line.slice(0, 2000));
}
