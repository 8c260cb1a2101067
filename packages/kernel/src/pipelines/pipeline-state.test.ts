import assert from "node:assert/strict";
import { test } from "node:test";
import { isTerminal, mayMove, statusesBefore, type PipelineStatus } from "./pipeline-state.ts";

const ALL: readonly PipelineStatus[] = ["NEW", "PROCESSING", "RESOLVED", "FAILED", "CANCELLED"];

test("nothing follows a terminal status", () => {
  for (const from of ALL) {
    assert.equal(
      isTerminal(from),
      ALL.every((to) => !mayMove(from, to)),
      from,
    );
  }
  assert.deepEqual(ALL.filter(isTerminal), ["RESOLVED", "FAILED", "CANCELLED"]);
});

test("a pipeline resolves only after it was processed, and a retry stays in processing", () => {
  assert.equal(mayMove("NEW", "RESOLVED"), false);
  assert.equal(mayMove("PROCESSING", "RESOLVED"), true);
  assert.equal(mayMove("PROCESSING", "PROCESSING"), true);
  assert.equal(mayMove("PROCESSING", "NEW"), false);
});

test("only a run ends a pipeline by itself, and a cancellation needs no run", () => {
  assert.deepEqual(statusesBefore("NEW"), []);
  assert.deepEqual(statusesBefore("PROCESSING"), ["NEW", "PROCESSING"]);
  assert.deepEqual(statusesBefore("RESOLVED"), ["PROCESSING"]);
  assert.deepEqual(statusesBefore("FAILED"), ["PROCESSING"]);
  assert.deepEqual(statusesBefore("CANCELLED"), ["NEW", "PROCESSING"]);
});
