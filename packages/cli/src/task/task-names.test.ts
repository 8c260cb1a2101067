import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { complete } from "../completion/complete.ts";
import { UsageError } from "../exit-code.ts";
import { readMemory, userMemory } from "../memory.ts";
import { createOutput } from "../output.ts";
import { rememberSeen } from "../remember.ts";
import { readEnvironment } from "../settings.ts";
import { addTaskCommands } from "./add-task-commands.ts";
import { resolveOrder, resolveWindow } from "./task-names.ts";

const URL = "http://h:1";
const request = { dataset: "spotlight", name: "harbour", geometry: { type: "Point", coordinates: [14, 50] } };

async function contextOf(t: TestContext): Promise<CommandContext> {
  const folder = await mkdtemp(join(tmpdir(), "swath-task-"));
  t.after(() => rm(folder, { recursive: true }));
  return {
    output: createOutput(false, { write: () => true }, { write: () => true }),
    environment: readEnvironment({ SWATH_CONFIG_HOME: folder }),
    connection: { url: URL, email: "kim@example.org" },
    signal: new AbortController().signal,
  };
}

test("windows are named by their place in the latest study, which its order repeats", async (t) => {
  const context = await contextOf(t);
  await assert.rejects(resolveWindow(context, "@1"), /no study is remembered: swath task feasibility first/);
  await rememberSeen(context, { study: { request, windows: ["A", "B"] } });
  await rememberSeen(context, { scenes: ["s1"] });
  assert.deepEqual(await resolveWindow(context, "@2"), { windowId: "B", request });
  assert.deepEqual(await resolveWindow(context, "A"), { windowId: "A", request });
  assert.deepEqual(await resolveWindow(context, "elsewhere"), { windowId: "elsewhere", request: null });
  for (const name of ["@3", "@0", "@x", "@last"]) {
    await assert.rejects(
      resolveWindow(context, name),
      (error) => error instanceof UsageError && error.message.endsWith(`window ${name}; its windows are @1 to @2`),
    );
  }
  await rememberSeen(context, { study: { request, windows: [] } });
  await assert.rejects(resolveWindow(context, "@1"), /it has no window/);
});

test("@last is the latest order", async (t) => {
  const context = await contextOf(t);
  await assert.rejects(resolveOrder(context, "@last"), /no order is remembered/);
  await rememberSeen(context, { orders: ["first"] });
  await rememberSeen(context, { orders: ["second"] });
  assert.equal(await resolveOrder(context, "@last"), "second");
  assert.equal(await resolveOrder(context, "an-id"), "an-id");
  await assert.rejects(resolveOrder(context, "@first"), /no order is remembered as @first; expected @last or an ID/);
});

test("windows and orders complete", async (t) => {
  const context = await contextOf(t);
  await rememberSeen(context, { study: { request, windows: ["A", "B"] }, orders: ["o1"] });
  const memory = await readMemory(context.environment.configFolder);
  const known = { datasets: [], types: [], ...userMemory(memory, URL, "kim@example.org") };
  const program = new Command("swath");
  addTaskCommands(program, () => async () => undefined);
  const values = (...words: string[]) => complete(program, words, known).map(({ value }) => value);
  assert.deepEqual(values("task", "order", ""), ["@1", "@2"]);
  assert.deepEqual(values("task", "watch", ""), ["@last", "o1"]);
  assert.deepEqual(values("task", "feasibility", "--priority", "u"), ["urgent"]);
});
