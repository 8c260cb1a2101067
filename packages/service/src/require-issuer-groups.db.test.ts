import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startService } from "./main.ts";
import { ConfigError } from "./platform/config/config.ts";
import { testDatabase } from "./platform/postgres/testing.ts";

test("a start with groups that do not exist is refused with the nearest ones, and succeeds with those", async () => {
  await using database = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), "swath-issuer-"));
  const settings = {
    DATABASE_URL: database.url,
    SWATH_DATA: folder,
    SWATH_PORT: "0",
    SWATH_LOG_LEVEL: "silent",
    SWATH_OIDC_ISSUER: "http://127.0.0.1:9",
    SWATH_OIDC_AUDIENCE: "swath",
    SWATH_OIDC_GROUPS_CLAIM: "groups",
  };
  try {
    const misspelt = { SWATH_OIDC_NEW_USER_GROUP: "Demmo", SWATH_OIDC_GROUPS: "gis=Demo,lead=Leaders of tomorrow" };
    await assert.rejects(startService({ settings: { ...settings, ...misspelt } }), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.equal(error.faults[0], 'SWATH_OIDC_NEW_USER_GROUP: there is no group "Demmo"; did you mean "Demo"?');
      assert.match(
        error.faults[1] ?? "",
        /^SWATH_OIDC_GROUPS: there is no group "Leaders of tomorrow"; create it first, .*Demo/u,
      );
      assert.equal(error.faults.length, 2);
      return true;
    });
    const right = { SWATH_OIDC_NEW_USER_GROUP: "Demo", SWATH_OIDC_GROUPS: "gis=Demo" };
    await using service = await startService({ settings: { ...settings, ...right } });
    assert.notEqual(service.url, null);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
