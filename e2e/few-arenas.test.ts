import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { ServiceProcess } from "./service-process.ts";

const skip = process.platform === "linux" ? false : "another C library shares its memory otherwise";

async function arenasOf(pid: number): Promise<string | undefined> {
  const environment = await readFile(`/proc/${pid}/environ`, "utf8");
  return environment.split("\0").find((entry) => entry.startsWith("MALLOC_ARENA_MAX="));
}

test(
  "the service has as many arenas of memory as processors, and runs as the process that was started",
  { skip },
  async () => {
    await using service = await ServiceProcess.start();
    assert.equal(await arenasOf(service.pid), `MALLOC_ARENA_MAX=${Math.max(2, availableParallelism())}`);
    assert.equal((await fetch(`${service.baseUrl}/health/live`)).status, 200);
    assert.ok(!service.output.includes("ExperimentalWarning"), service.output);
  },
);

test("a number of arenas that the operator chose stays", { skip }, async () => {
  await using service = await ServiceProcess.start({ MALLOC_ARENA_MAX: "7" });
  assert.equal(await arenasOf(service.pid), "MALLOC_ARENA_MAX=7");
});
