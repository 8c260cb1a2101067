import assert from "node:assert/strict";
import { test } from "node:test";
import { createOutput } from "./output.ts";
import { judge, UsageError } from "./exit-code.ts";
import { run } from "./program.ts";

const ESCAPE = "\u001B[";

function written(isTTY: boolean, variables: NodeJS.ProcessEnv): string {
  const texts: string[] = [];
  const sink = { write: (text: string) => texts.push(text), isTTY };
  const output = createOutput(false, sink, sink, variables);
  output.result({}, ["fine", "  warning: odd"]);
  output.failure(judge(new UsageError("wrong")));
  return texts.join("");
}

test("a terminal shows faults and warnings in colours, and results without", () => {
  const text = written(true, {});
  assert.ok(text.includes(`${ESCAPE}33m  warning: odd`), JSON.stringify(text));
  assert.ok(text.includes(`${ESCAPE}31merror:`), JSON.stringify(text));
  assert.ok(text.startsWith("fine\n"));
});

test("files, NO_COLOR and dumb terminals get no colours; FORCE_COLOR gives them", () => {
  assert.ok(!written(false, {}).includes(ESCAPE));
  assert.ok(!written(true, { NO_COLOR: "1" }).includes(ESCAPE));
  assert.ok(!written(true, { TERM: "dumb" }).includes(ESCAPE));
  assert.ok(written(false, { FORCE_COLOR: "1" }).includes(ESCAPE));
  assert.ok(!written(true, { FORCE_COLOR: "1", NO_COLOR: "1" }).includes(ESCAPE));
});

async function help(isTTY: boolean, variables: NodeJS.ProcessEnv): Promise<string> {
  const texts: string[] = [];
  const sink = { write: (text: string) => texts.push(text), isTTY };
  await run(["--help"], { out: sink, err: sink, variables });
  return texts.join("");
}

test("help follows the same rules", async () => {
  assert.ok((await help(true, {})).includes(`${ESCAPE}1mUsage:`));
  assert.ok(!(await help(true, { NO_COLOR: "1" })).includes(ESCAPE));
  assert.ok(!(await help(false, {})).includes(ESCAPE));
});
