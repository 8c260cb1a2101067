import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { RawClient } from "./raw-client.ts";
import { ADMIN, ServiceProcess } from "./service-process.ts";

const SWATH = join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");

const kidOf = (token: string | null): string =>
  JSON.parse(Buffer.from(token?.split(".")[0] ?? "", "base64url").toString()).kid;

test("keys are rotated beside a running service: earlier tokens stay valid, new ones have the new key", async () => {
  await using service = await ServiceProcess.start();
  const anonymous = new RawClient(service.baseUrl);
  const before = await anonymous.login(ADMIN);
  const { stdout } = await promisify(execFile)(process.execPath, [SWATH, "keys", "rotate", "--json"], {
    env: { ...process.env, SWATH_DATA: service.folder },
  });
  assert.ok(Date.parse(JSON.parse(stdout).signFrom) > Date.now() - 1000);
  assert.equal((await before.post("/user/info")).status, 200);
  const { body } = await before.post("/audit/list", { action: "keys.rotate" });
  assert.equal(body.results.length, 1);

  await service.stop();
  await service.start();
  const { keys } = (await (await fetch(`${service.baseUrl}/.well-known/jwks.json`)).json()) as {
    keys: { kid: string }[];
  };
  assert.equal(keys.length, 2, "both are published");
  const after = await new RawClient(service.baseUrl).login(ADMIN);
  assert.deepEqual([kidOf(after.token), kidOf(before.token)], [keys[0]?.kid, keys[1]?.kid]);
  assert.equal((await new RawClient(service.baseUrl, before.token).post("/user/info")).status, 200);
});
