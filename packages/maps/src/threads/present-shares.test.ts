import assert from "node:assert/strict";
import { test } from "node:test";
import { PresentShares } from "./present-shares.ts";

test("a share is present for three seconds after its latest job", () => {
  const present = new PresentShares();
  assert.equal(present.areSeveral(0), false);
  present.note("a", 0);
  present.note("a", 100);
  assert.equal(present.areSeveral(100), false, "it is alone");
  present.note("b", 1_000);
  assert.equal(present.areSeveral(3_099), true);
  assert.equal(present.areSeveral(3_100), false);
  present.note("a", 3_200);
  assert.equal(present.areSeveral(3_999), true);
  assert.equal(present.areSeveral(4_000), false);
});
