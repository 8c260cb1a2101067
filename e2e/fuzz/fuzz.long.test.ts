import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { fuzzService } from "./fuzz-service.ts";
import { runSchemathesis } from "./schemathesis.ts";

/** A number of the environment, for a run that is to be repeated or shortened. */
function setting(name: string, otherwise: number): number {
  const text = process.env[name];
  const value = Number(text);
  if (text !== undefined && !Number.isSafeInteger(value)) throw new Error(`${name} is "${text}", expected an integer`);
  return text === undefined ? otherwise : value;
}

const seed = setting("FUZZ_SEED", randomInt(2 ** 31));
const requests = setting("FUZZ_REQUESTS", 100_000);
const files = setting("FUZZ_FILES", 2000);

function onProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

test(`${requests} generated requests and ${files} changed files of seed ${seed} leave the service whole`, async () => {
  onProgress(`FUZZ_SEED=${seed} repeats this run`);
  const { faults } = await fuzzService({
    seed,
    requests,
    files,
    withSamples: true,
    onProgress,
    also: (world) => runSchemathesis(world, seed, onProgress),
  });
  assert.deepEqual(faults, []);
});
