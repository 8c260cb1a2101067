import assert from "node:assert/strict";
import { test } from "node:test";
import { runChaos } from "./run-chaos.ts";
import { severalProcesses } from "./several-processes.ts";

test("an api, two workers and their database are killed four times under load and go on with all accepted work", async (t) => {
  const say = (line: string): void => t.diagnostic(line);
  await using arrangement = await severalProcesses(say);
  const report = await runChaos(arrangement, { kills: 4, seed: 20_261_123, clients: 3, limitMs: 120_000, say });
  assert.deepEqual(report.faults, [], arrangement.output());
  assert.deepEqual(report.orphans, []);
  assert.equal(report.kills, 4);
  assert.ok(report.accepted > 20 && report.charges > 1, JSON.stringify(report));
});
