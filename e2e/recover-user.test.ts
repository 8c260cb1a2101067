import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { RawClient } from "./raw-client.ts";
import { ADMIN, ServiceProcess } from "./service-process.ts";

const SWATH = join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");

async function swath(folder: string, ...args: readonly string[]) {
  const outcome = await promisify(execFile)(process.execPath, [SWATH, ...args, "--json"], {
    env: { ...process.env, SWATH_DATA: folder },
  }).catch((error: { stdout: string; stderr: string; code: number }) => error);
  const status = "code" in outcome ? outcome.code : 0;
  return { status, stdout: outcome.stdout, stderr: outcome.stderr };
}

test("an administrator who lost the password is let in again, beside a running service and without one", async () => {
  await using service = await ServiceProcess.start();
  const anonymous = new RawClient(service.baseUrl);
  const before = await anonymous.login(ADMIN);
  const reset = await swath(service.folder, "users", "reset-password", ADMIN.email.toUpperCase());
  assert.equal(reset.status, 0, reset.stderr);
  const { password } = JSON.parse(reset.stdout);
  assert.ok(password.length >= 20);
  assert.equal((await before.post("/user/info")).status, 401, "older tokens have ended");
  const after = await anonymous.login({ email: ADMIN.email, password });
  const { body: own } = await after.post("/user/info");
  const { body: record } = await after.post("/audit/list", { target: own.id, action: "user.change-password" });
  assert.deepEqual(
    record.results.map((entry: { actor: { kind: string } }) => entry.actor.kind),
    ["system"],
  );
  assert.ok(!JSON.stringify(record).includes(password));

  const unknown = await swath(service.folder, "users", "unblock", "nobody@swath.example");
  assert.notEqual(unknown.status, 0);
  assert.match(unknown.stdout + unknown.stderr, /no user/);
  await service.stop();
  const unblocked = await swath(service.folder, "users", "unblock", ADMIN.email);
  assert.deepEqual([unblocked.status, JSON.parse(unblocked.stdout).blocked], [0, false], unblocked.stderr);
});
