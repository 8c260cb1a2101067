import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { freePort } from "@swath/base/processes/free-port";
import type { NewEvent } from "../../platform/events/record-event.ts";
import { createReceiverRules } from "./receiver-rules.ts";
import { createWebhook } from "./service.ts";
import { webhookBench } from "./testing.ts";

const EVENTS = 300;
const SUBJECTS = 12;
const KILLS = 8;
const SEED = 20_260_301;

/** A process of a fixture, once it is ready. */
async function started(fixture: string, ...given: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, fixture), ...given], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout ?? child, "data");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Numbers of 0 to below 1 that follow from the seed (Lehmer, 1951, with the constants of Park and Miller, 1988). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

test("kills of senders and receiver lose no event, and the order of each subject holds", async () => {
  await using bench = await webhookBench();
  const folder = mkdtempSync(join(tmpdir(), "swath-webhooks-"));
  const file = join(folder, "received");
  writeFileSync(file, "");
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const kim = await bench.addUser("kim");
  const deps = { ...bench.deps, rules: createReceiverRules([origin]) };
  await createWebhook(deps, { caller: kim, requestId: "r" }, { url: `${origin}/` });
  const random = randomNumbers(SEED);
  const starts = [
    () => started("sender.fixture.ts", bench.url, origin),
    () => started("sender.fixture.ts", bench.url, origin),
    () => started("receiver.fixture.ts", port, file),
  ];
  const processes = await Promise.all(starts.map((start) => start()));
  const lines = (): string[] => readFileSync(file, "utf8").split("\n").slice(0, -1);
  try {
    let recorded = 0;
    const recordUntil = async (count: number): Promise<void> => {
      for (; recorded < count; recorded += 1) {
        const subject = `order:${Math.floor(random() * SUBJECTS)}`;
        const event: NewEvent = { type: "order.status", subject, audience: { userId: "kim" }, data: { n: recorded } };
        await bench.record(event);
      }
    };
    const progress = async (wanted: number): Promise<void> => {
      while (lines().length < wanted) await bench.passPauses();
    };
    for (let round = 1; round <= KILLS; round += 1) {
      const before = lines().length;
      await recordUntil(Math.floor((EVENTS * round) / (KILLS + 1)));
      // Somewhere within the deliveries of this round.
      await progress(before + 1 + Math.floor(random() * 15));
      const victim = Math.floor(random() * processes.length);
      await kill(processes[victim]!); // oxlint-disable-line typescript/no-non-null-assertion -- an index of the list
      processes[victim] = await starts[victim]!(); // oxlint-disable-line typescript/no-non-null-assertion -- as above
    }
    await recordUntil(EVENTS);
    for (;;) {
      const { rows } = await sql<{ open: number }>`
        select (select count(*) from webhook_deliveries where status = 'pending')::int
          + (select count(*) from events where position is null)::int
          + (select p.position - w.position from event_marks p, event_marks w
             where p.name = 'placed' and w.name = 'webhooks')::int as open`.execute(bench.db);
      if (rows[0]?.open === 0) break;
      await bench.passPauses();
    }
  } finally {
    await Promise.all(processes.map(kill));
  }
  const first = new Map<string, readonly [string, number]>();
  for (const line of lines()) {
    const [id = "", subject = "", n = ""] = line.split(" ");
    if (!first.has(id)) first.set(id, [subject, Number(n)]);
  }
  rmSync(folder, { recursive: true });
  assert.equal(first.size, EVENTS, "every event at least once");
  const bySubject = Map.groupBy([...first.values()], ([subject]) => subject);
  for (const [subject, events] of bySubject) {
    const numbers = events.map(([, n]) => n);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
      subject,
    );
  }
});
