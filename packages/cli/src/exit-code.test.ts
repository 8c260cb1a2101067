import assert from "node:assert/strict";
import { test } from "node:test";
import { CommandError, EXIT, judge, UsageError } from "./exit-code.ts";
import { createOutput, formatTable } from "./output.ts";

function answer(code: string, status: number): Error {
  return Object.assign(new Error(`said ${code}`), { code, status, requestId: "r1" });
}

test("answers of the service end with the exit code of their kind", () => {
  assert.equal(judge(answer("CREDITS-ERROR", 402)).exitCode, EXIT.credit);
  assert.equal(judge(answer("INSUFFICIENT-CREDIT", 401)).exitCode, EXIT.credit);
  assert.equal(judge(answer("INVALID-JWT", 401)).exitCode, EXIT.auth);
  assert.equal(judge(answer("API-KEY-AUTHORIZATION-NOT-PERMITTED", 403)).exitCode, EXIT.auth);
  assert.equal(judge(answer("NON-EXISTING-SCENE", 404)).exitCode, EXIT.notFound);
  assert.equal(judge(answer("VALIDATION-ERROR", 422)).exitCode, EXIT.usage);
  assert.equal(judge(answer("EXTENT-TOO-LARGE", 400)).exitCode, EXIT.usage);
  assert.equal(judge(answer("SERVICE-UNAVAILABLE", 503)).exitCode, EXIT.unavailable);
  assert.equal(judge(answer("TOO-MANY-REQUESTS", 429)).exitCode, EXIT.unavailable);
  assert.equal(judge(answer("CONFLICT", 409)).exitCode, EXIT.failure);
  assert.equal(judge(answer("ERROR", 500)).exitCode, EXIT.failure);
  assert.deepEqual([judge(answer("ERROR", 500)).code, judge(answer("ERROR", 500)).requestId], ["ERROR", "r1"]);
});

test("a failed pipeline ends with the exit code of its fault, as a refused request does", () => {
  assert.equal(judge(answer("ACQUISITION-TIME-UNKNOWN", 424)).exitCode, EXIT.usage);
  assert.equal(judge(answer("NON-EXISTING-SCENE", 424)).exitCode, EXIT.notFound);
  assert.equal(judge(answer("CREDITS-ERROR", 424)).exitCode, EXIT.credit);
  assert.equal(judge(answer("ZERO-TILES-AVAILABLE", 424)).exitCode, EXIT.failure);
});

test("mistakes of the user, failures of a command and anything else are told apart", () => {
  assert.equal(judge(new UsageError("no")).exitCode, EXIT.usage);
  assert.equal(judge(new CommandError("none found", EXIT.notFound)).exitCode, EXIT.notFound);
  assert.equal(judge(new Error("boom")).exitCode, EXIT.failure);
  const refused = new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) });
  assert.match(judge(refused).message, /does not answer/);
});

test("faults of a request are listed by their place", () => {
  const refused = Object.assign(answer("VALIDATION-ERROR", 422), {
    details: [{ path: "/extent", message: "has no area" }],
  });
  assert.deepEqual(judge(refused).details, ["/extent: has no area"]);
});

test("a payment that is due says how to pay", () => {
  assert.match(judge(answer("CREDITS-ERROR", 402)).hint ?? "", /--allocate/);
});

function recorder(): { readonly texts: string[]; write(text: string): void } {
  const texts: string[] = [];
  return { texts, write: (text) => void texts.push(text) };
}

test("with --json there is one document on standard output and one error on standard error", () => {
  const out = recorder();
  const err = recorder();
  const output = createOutput(true, out, err);
  output.note("nothing");
  output.progress("x", 3).update(1);
  output.result({ a: 1 }, ["never"]);
  assert.deepEqual(JSON.parse(out.texts.join("")), { a: 1 });
  assert.deepEqual(err.texts, []);
  output.failure(judge(answer("ERROR", 500)));
  assert.equal(JSON.parse(err.texts.join("")).error, "ERROR");
});

test("without a terminal there is no progress bar", () => {
  const err = recorder();
  const progress = createOutput(false, recorder(), err).progress("upload", 10);
  progress.update(5);
  progress.stop();
  assert.deepEqual(err.texts, []);
});

test("tables align words left and numbers right", () => {
  assert.deepEqual(
    formatTable([
      ["search", "0.12 s"],
      ["release", "12.50 s"],
    ]),
    ["search    0.12 s", "release  12.50 s"],
  );
});
