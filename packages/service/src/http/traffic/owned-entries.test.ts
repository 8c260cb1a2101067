import assert from "node:assert/strict";
import { test } from "node:test";
import { addEntry, oldestOf, oldestOfMostNumerous, removeEntry, type OwnedEntries } from "./owned-entries.ts";

test("the oldest of the owner with the most goes first, and what is added again is the youngest", () => {
  const entries: OwnedEntries<number> = new Map();
  addEntry(entries, "quiet", 1);
  for (const entry of [2, 3, 4]) addEntry(entries, "many", entry);
  assert.equal(oldestOfMostNumerous(entries), 2);
  addEntry(entries, "many", 2);
  assert.equal(oldestOfMostNumerous(entries), 3);
  for (const entry of [2, 3, 4]) removeEntry(entries, "many", entry);
  assert.equal(oldestOf(entries, "many"), undefined);
  assert.equal(oldestOfMostNumerous(entries), 1);
  removeEntry(entries, "quiet", 1);
  assert.equal(oldestOfMostNumerous(entries), undefined);
});
