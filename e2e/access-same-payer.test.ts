import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { testDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { createActors } from "./access-actors.ts";
import { contractRoutes } from "./access-routes.ts";
import { RawClient } from "./raw-client.ts";
import { ServiceProcess } from "./service-process.ts";

test("a payer in common shows no result of a pipeline to another group: paying grants no access", async () => {
  await using database = await testDatabase();
  await using service = await ServiceProcess.start({ DATABASE_URL: database.url, SWATH_ROLES: "api" });
  const actors = createActors(database, service.baseUrl);
  const home = await actors.group("paying group");
  const owner = await actors.user("owner", home);
  const colleague = await actors.user("colleague", home);
  const stranger = await actors.user("stranger", await actors.group("paid for by the other group"));
  await sql`update users set accounting = ${home} where id = ${stranger.id}`.execute(database.db);
  const permissions = contractRoutes().flatMap((route) => route.permissions);
  const anonymous = new RawClient(service.baseUrl);
  const paidAlike = anonymous.as(await actors.token(stranger, permissions));
  const ofGroup = anonymous.as(await actors.token(colleague, permissions));
  let asked = 0;
  for (const route of contractRoutes()) {
    const { path, retrieves } = route;
    if (retrieves === null) continue;
    const pipelineId = await actors.pipeline(retrieves, owner, {});
    const { url } = route.example({
      text: "plain",
      full: false,
      member: (name) => (name === "mapType" ? "ndvi" : undefined),
    });
    const refused = await paidAlike.post(url, { pipelineId });
    assert.deepEqual([refused.status, refused.body.error], [404, "NON-EXISTENT-PIPELINE"], path);
    assert.notEqual((await ofGroup.post(url, { pipelineId })).body.error, "NON-EXISTENT-PIPELINE", path);
    asked += 1;
  }
  assert.ok(asked > 10, `${asked} kinds of pipelines`);
});
