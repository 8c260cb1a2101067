import assert from "node:assert/strict";
import { test } from "node:test";
import { runChaos } from "./run-chaos.ts";
import { singleProcess } from "./single-process.ts";

test("a process whose parts are killed four times under load loses, repeats and fails no accepted work", async (t) => {
  await using arrangement = await singleProcess();
  const say = (line: string): void => t.diagnostic(line);
  const report = await runChaos(arrangement, { kills: 4, seed: 20_261_122, clients: 3, limitMs: 120_000, say });
  assert.deepEqual(report.faults, [], arrangement.output());
  assert.deepEqual(report.orphans, []);
  assert.equal(report.kills, 4);
  assert.ok(report.accepted > 20 && report.charges > 1, JSON.stringify(report));
});
