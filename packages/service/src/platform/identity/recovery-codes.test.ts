import assert from "node:assert/strict";
import { test } from "node:test";
import { RECOVERY_CODES, newRecoveryCodes, recoveryHash } from "./recovery-codes.ts";

test("there are ten different recovery codes of 80 bits each", () => {
  const codes = newRecoveryCodes();
  assert.equal(new Set(codes).size, RECOVERY_CODES);
  for (const code of codes) assert.match(code, /^(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
});

test("case, blanks and dashes of a typed code are ignored, the owner is not", () => {
  const hash = recoveryHash("7k2m-9qpd-x4ha-03tz", "ada");
  assert.deepEqual(recoveryHash("7K2M 9QPDX4HA03TZ", "ada"), hash);
  assert.notDeepEqual(recoveryHash("7k2m-9qpd-x4ha-03tz", "bob"), hash);
  assert.notDeepEqual(recoveryHash("7k2m-9qpd-x4ha-03ty", "ada"), hash);
});
