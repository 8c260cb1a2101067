import assert from "node:assert/strict";
import { test } from "node:test";
import { matching } from "./command.ts";

const COMMANDS = [{ name: "Draw a box" }, { name: "Draw a polygon" }, { name: "Credits" }];

test("commands are found by the words of their names, in any order and case", () => {
  assert.deepEqual(matching(COMMANDS, "BOX draw"), [COMMANDS[0]]);
  assert.deepEqual(matching(COMMANDS, "  "), COMMANDS);
  assert.deepEqual(matching(COMMANDS, "box credits"), []);
});
