import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock } from "@swath/base/clock";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { rememberTokens } from "./remembered-tokens.ts";
import type { TokenVerifier } from "./token-verifier.ts";

const MINUTE_MS = 60_000;

interface Remembering {
  /** Verifies a token; the number of signatures checked so far. */
  readonly check: (token?: string) => Promise<number>;
  /** Moves the clock. */
  readonly pass: (ms: number) => void;
  /** Announces a change of rights: of a subject, or null of any. */
  readonly change: (subject: string | null) => void;
}

/** Tokens of the subject that they name. Those with "forged" are refused; all expire after the given time. */
function remembering({ isCurrent = true, lifetimeMs = 10 * MINUTE_MS } = {}): Remembering {
  let nowMs = Date.UTC(2026, 0, 1);
  const expiresAtMs = nowMs + lifetimeMs;
  let checked = 0;
  let listener: Remembering["change"] | null = null;
  const clock: Clock = { now: () => new Date(nowMs) };
  const verifier: TokenVerifier = {
    async verify(subject) {
      checked += 1;
      if (subject === "forged") throw new ServiceError("INVALID-JWT", "The token cannot be verified");
      const claims = { email: null, name: null, secondFactor: false, tokenVersion: 0, issuedAtMs: 0, groups: null };
      return { ...claims, subject, expiresAtMs };
    },
  };
  const tokens = rememberTokens(verifier, clock, {
    isCurrent: () => isCurrent,
    onChange(given) {
      listener = given;
    },
  });
  return {
    check: async (token = "ada") => {
      assert.equal((await tokens.verify(token)).subject, token);
      return checked;
    },
    pass: (ms) => {
      nowMs += ms;
    },
    change: (subject) => listener?.(subject),
  };
}

test("the signature of a token is checked once for all requests of a minute", async () => {
  const { check, pass } = remembering();
  assert.equal(await check(), 1);
  assert.equal(await check(), 1);
  pass(MINUTE_MS - 1);
  assert.equal(await check(), 1);
  assert.equal(await check("bob"), 2, "another token");
  pass(1);
  assert.equal(await check(), 3);
});

test("a token is checked again from its expiry on, and after changes of keys", async () => {
  const short = remembering({ lifetimeMs: 10_000 });
  assert.equal(await short.check(), 1);
  short.pass(10_000);
  assert.equal(await short.check(), 2);
  const { change, check } = remembering();
  await check();
  change("ada");
  assert.equal(await check(), 1, "rights are not in the token");
  change(null);
  assert.equal(await check(), 2);
});

test("while changes may be missed, a token is checked again after a second", async () => {
  const { check, pass } = remembering({ isCurrent: false });
  await check();
  pass(999);
  assert.equal(await check(), 1);
  pass(1);
  assert.equal(await check(), 2);
});

test("a refused token is refused each time", async () => {
  const { check } = remembering();
  await assert.rejects(check("forged"), { code: "INVALID-JWT" });
  await assert.rejects(check("forged"), { code: "INVALID-JWT" });
  assert.equal(await check(), 3);
});
