import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import { newTotpSecret, totpSecretText, totpStep, totpUri } from "./totp.ts";

/** RFC 4226 section 5.3, written out. */
function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac[19] ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** RFC 6238, appendix B, SHA-1, of eight digits the last six. */
const RFC_SECRET = Buffer.from("12345678901234567890", "ascii");
const RFC_CODES: readonly (readonly [seconds: number, code: string])[] = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
];

test("the codes of RFC 6238 are accepted at their times", () => {
  for (const [seconds, code] of RFC_CODES) {
    assert.equal(codeOf(RFC_SECRET, Math.floor(seconds / 30)), code);
    assert.equal(totpStep(RFC_SECRET, code, seconds * 1000), Math.floor(seconds / 30));
  }
});

test("a code is accepted one step early or late but not further, and its step is returned", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 90_000_000 }), fc.integer({ min: -4, max: 4 }), (step, offset) => {
      const code = codeOf(RFC_SECRET, step);
      const taken = totpStep(RFC_SECRET, code, (step + offset) * 30_000 + 17_000);
      if (Math.abs(offset) <= 1) assert.equal(taken, step);
      // One of a million codes of another step is the same.
      else assert.ok(taken === null || codeOf(RFC_SECRET, taken) === code);
    }),
  );
});

test("only six digits are a code", () => {
  for (const text of ["", "28708", "2870822", "28708a", "２８７０８２", "287082\n", "-87082", "0x1234", "1e5"]) {
    assert.equal(totpStep(RFC_SECRET, text, 59_000), null, JSON.stringify(text));
  }
  assert.equal(totpStep(RFC_SECRET, "287 082", 59_000), 1, "applications show codes in groups");
});

test("secrets are 160 random bits, and applications read them from the address", () => {
  const secret = newTotpSecret();
  assert.equal(secret.byteLength, 20);
  assert.notDeepEqual(secret, newTotpSecret());
  assert.match(totpSecretText(secret), /^[A-Z2-7]{32}$/);
  const uri = new URL(totpUri(secret, "ada@example.org"));
  assert.equal(uri.protocol, "otpauth:");
  assert.equal(decodeURIComponent(uri.pathname).replace(/^\/+/, ""), "Swath:ada@example.org");
  assert.deepEqual(
    ["secret", "issuer", "algorithm", "digits", "period"].map((name) => uri.searchParams.get(name)),
    [totpSecretText(secret), "Swath", "SHA1", "6", "30"],
  );
});
