import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Arrangement } from "./arrangement.ts";
import { outcomeOf, type Fault, type Journal } from "./journal.ts";
import { orphanedBlobs } from "./orphaned-blobs.ts";
import type { StubbornClient } from "./stubborn-client.ts";
import { verifyLedger } from "./verify-ledger.ts";

interface JudgeInput {
  readonly arrangement: Arrangement;
  readonly client: StubbornClient;
  /** Credit before the first charge of the journal. */
  readonly creditBefore: number;
  readonly settledWithinMs: number;
}

/** Codes that no request of the load earns: the service itself did not succeed. */
const UNEARNED = ["PROCESSING-ERROR", "SERVICE-UNAVAILABLE", "ERROR", "DATA-NOT-AVAILABLE"];
const POLL_MS = 500;

/**
 * Adds a fault for each pipeline that is lost or changes its outcome, and for each wrong charge.
 *
 * @returns blobs that no row knows
 */
export async function judge(input: JudgeInput): Promise<readonly string[]> {
  const { arrangement, client } = input;
  await judgeAccepted(client);
  const database = new Client({ connectionString: await arrangement.databaseUrl() });
  await database.connect();
  try {
    client.journal.faults.push(...(await unfinished(database, input.settledWithinMs)), ...(await unearned(database)));
    await judgeCharges(input);
    const proof = await verifyLedger(arrangement.commandSettings);
    if (proof !== null) client.journal.faults.push({ kind: "double", message: proof });
    return await orphanedBlobs(database, arrangement.blobs);
  } finally {
    await database.end();
  }
}

/** Every accepted pipeline has ended, and its result is still the same. */
async function judgeAccepted(client: StubbornClient): Promise<void> {
  const { accepted, faults } = client.journal;
  for (const { outcome, path, pipelineId, work } of accepted) {
    const now = outcomeOf(await client.post(`${path}/retrieve`, { pipelineId }));
    const about = `${work} ${pipelineId}`;
    if (outcome === null) faults.push({ kind: "lost", message: `${about} did not end: ${now.slice(0, 300)}` });
    else if (now !== outcome)
      faults.push({ kind: "lost", message: `${about}: ${now}, before ${outcome}`.slice(0, 800) });
  }
}

/** Pipelines that do not end, those included whose acceptance no client has heard of. */
async function unfinished(database: Client, withinMs: number): Promise<readonly Fault[]> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const { rows } = await database.query<{ id: string; about: string }>(
      "select id, concat_ws(' ', kind, status, 'attempt', attempt, 'deaths', deaths) as about from pipelines where finished_at is null",
    );
    if (rows.length === 0) return [];
    if (performance.now() > deadlineMs) {
      return rows.map(({ about, id }) => ({ kind: "lost", message: `${id} does not end: ${about}` }));
    }
    await sleep(POLL_MS);
  }
}

async function unearned(database: Client): Promise<readonly Fault[]> {
  const { rows } = await database.query<{ about: string }>(
    `select concat_ws(' ', id, kind, error_code, error_message, 'attempt', attempt, 'deaths', deaths) as about
     from pipelines where status = 'FAILED' and error_code = any($1)`,
    [UNEARNED],
  );
  return rows.map(({ about }) => ({ kind: "failed", message: about }));
}

/** Repeated requests cost what they cost before, and all of them together what is missing of the credit. */
async function judgeCharges({ client, creditBefore }: JudgeInput): Promise<void> {
  const { charges, faults }: Journal = client.journal;
  let sum = 0;
  for (const { cost, request } of charges) {
    const { body, status } = await client.post("/credits/area/allocate-geojson", request);
    if (status !== 200 || (cost !== null && body.cost !== cost)) {
      const message = `${request.idempotencyKey}: ${status} ${JSON.stringify(body)}, charged before ${cost}`;
      faults.push({ kind: "double", message });
    }
    sum += body.cost ?? 0;
  }
  const { remainingCredit } = (await client.post("/credits/get-remaining-credit", {})).body;
  if (Math.abs(creditBefore - remainingCredit - sum) > 1e-6) {
    const message = `the credit went from ${creditBefore} to ${remainingCredit} for charges of ${sum}`;
    faults.push({ kind: "double", message });
  }
}
