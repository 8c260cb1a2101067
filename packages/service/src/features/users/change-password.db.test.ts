import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock } from "@swath/base/clock";
import { ACCOUNT_FAILURES } from "../../platform/identity/login-throttle.ts";
import { PASSWORD, usersBench } from "./testing.ts";

class TestClock implements Clock {
  nowMs = Date.UTC(2026, 2, 1);
  now(): Date {
    return new Date(this.nowMs);
  }
}

const NEW = "a much better one";

test("the current password is asked for, and the new one must be good", async () => {
  await using bench = await usersBench();
  const ada = await bench.person("ada", [await bench.group("g", [])]);
  const change = async (currentPassword: string, newPassword: string) => {
    const { status, body } = await bench.post(ada.token, "/user/change-password", { currentPassword, newPassword });
    return `${status} ${body.error} ${body.details?.[0]?.path}`;
  };
  assert.equal(await change("wrong", NEW), "401 NOT-AUTHORIZED undefined");
  assert.equal(await change(PASSWORD, "short"), "422 VALIDATION-ERROR /newPassword");
  assert.equal(await change(PASSWORD, "x".repeat(257)), "422 VALIDATION-ERROR /newPassword");
  assert.equal(await change(PASSWORD, "ADA@example.org"), "422 VALIDATION-ERROR /newPassword");
  assert.equal(await change(PASSWORD, PASSWORD), "422 VALIDATION-ERROR /newPassword");
  assert.equal((await bench.post(ada.token, "/user/info")).status, 200, "nothing has changed");
  assert.equal(await change(PASSWORD, NEW), "200 undefined undefined");
  const rows = await bench.database.db.selectFrom("audit_log").selectAll().where("target_id", "=", ada.id).execute();
  assert.deepEqual(
    rows.map(({ action, actor_id: actor, before, after }) => [
      action,
      actor,
      action === "user.create" ? null : before,
      action === "user.create" ? null : after,
    ]),
    [
      ["user.create", null, null, null],
      ["user.change-password", ada.id, null, null],
    ],
  );
});

test("guessing the current password with a stolen token is locked, and the login is not", async () => {
  const clock = new TestClock();
  await using bench = await usersBench(clock);
  const ada = await bench.person("ada", [await bench.group("g", [])]);
  const change = (currentPassword: string) =>
    bench.post(ada.token, "/user/change-password", { currentPassword, newPassword: NEW });
  for (let attempt = 0; attempt < ACCOUNT_FAILURES; attempt += 1) assert.equal((await change("wrong")).status, 401);
  const locked = await change(PASSWORD);
  assert.deepEqual([locked.status, locked.body.error], [429, "TOO-MANY-REQUESTS"]);
  assert.notEqual(await bench.other.login(ada.email), "locked");
  clock.nowMs += 1000;
  assert.equal((await change(PASSWORD)).status, 200);
});

test("tokens of the same second are told apart: the one before ends, the one after is good", async () => {
  const clock = new TestClock();
  await using bench = await usersBench(clock);
  const ada = await bench.person("ada", [await bench.group("g", [])]);
  await bench.post(ada.token, "/user/change-password", { currentPassword: PASSWORD, newPassword: NEW });
  const fresh = await bench.login(ada.email, NEW);
  assert.equal((await bench.post(ada.token, "/user/info")).status, 401);
  assert.equal((await bench.post(fresh, "/user/info")).status, 200);
});

test("of two changes at once one is made", async () => {
  await using bench = await usersBench();
  const ada = await bench.person("ada", [await bench.group("g", [])]);
  const answers = await Promise.all(
    [`${NEW} 1`, `${NEW} 2`].map((newPassword) =>
      bench.post(ada.token, "/user/change-password", { currentPassword: PASSWORD, newPassword }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const logins = await Promise.all([bench.login(ada.email, `${NEW} 1`), bench.login(ada.email, `${NEW} 2`)]);
  assert.equal(logins.filter((one) => one === "refused").length, 1);
});

test("users without a password of this service have none to change", async () => {
  await using bench = await usersBench();
  const ada = await bench.person("ada", [await bench.group("g", [])]);
  await bench.database.db.updateTable("users").set({ password_hash: null }).where("id", "=", ada.id).execute();
  const { status } = await bench.post(ada.token, "/user/change-password", { currentPassword: "", newPassword: NEW });
  assert.equal(status, 422);
  const answer = await bench.post(ada.token, "/user/change-password", { currentPassword: PASSWORD, newPassword: NEW });
  assert.deepEqual([answer.status, answer.body.error], [401, "NOT-AUTHORIZED"]);
});
