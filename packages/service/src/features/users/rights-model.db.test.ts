import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isGranted } from "@swath/kernel/permissions/permission";
import { usersBench, type Person } from "./testing.ts";

const PERMISSIONS = ["admin", "admin.users.manage", "admin.groups.manage", "imagery", "imagery.images", "credits"];

const rights = fc.uniqueArray(fc.constantFrom(...PERMISSIONS), { maxLength: 3 });
const someone = fc.nat({ max: 3 });
const step = fc.oneof(
  fc.record({ kind: fc.constant("extra" as const), actor: someone, target: someone, rights }),
  fc.record({
    kind: fc.constant("groups" as const),
    actor: someone,
    target: someone,
    groups: fc.uniqueArray(fc.nat({ max: 2 }), { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("block" as const), actor: someone, target: someone, blocked: fc.boolean() }),
  fc.record({ kind: fc.constant("group" as const), actor: someone, group: fc.nat({ max: 2 }), rights }),
);

interface ModelUser {
  extra: readonly string[];
  groups: readonly number[];
  blocked: boolean;
}

test("whatever is asked by whomever, rights follow the model, nobody rises by his own hand, an administrator stays", async () => {
  await using bench = await usersBench();
  const groupIds = await Promise.all(["a", "b", "c"].map((name) => bench.group(name, [])));
  const people: Person[] = [];
  for (const name of ["root", "keeper", "ada", "bob"]) people.push(await bench.person(name, []));
  const { db } = bench.database;

  const start: readonly (readonly string[])[] = [
    ["admin"],
    ["admin.users.manage", "admin.groups.manage", "imagery"],
    ["imagery"],
    [],
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
      const model: ModelUser[] = start.map((extra) => ({ extra, groups: [], blocked: false }));
      const groupRights: (readonly string[])[] = [[], [], []];
      await db.deleteFrom("group_members").execute();
      await db.updateTable("groups").set({ permissions: [] }).execute();
      for (const [index, { id }] of people.entries()) {
        const extra = [...(start[index] ?? [])];
        const set = { extra_permissions: extra, blocked: false, accounting: null, tasking_accounting: null };
        await db.updateTable("users").set(set).where("id", "=", id).execute();
      }
      const heldBy = ({ extra, groups }: ModelUser) =>
        new Set([...extra, ...groups.flatMap((group) => groupRights[group] ?? [])]);

      for (const one of steps) {
        const actor = people[one.actor];
        const actorModel = model[one.actor];
        assert.ok(actor !== undefined && actorModel !== undefined);
        const held = heldBy(actorModel);
        const before = model.map((user) => heldBy(user));
        let answer;
        if (one.kind === "group") {
          const groupId = groupIds[one.group];
          answer = await bench.post(actor.token, "/group/manage", { groupId, set: { permissions: one.rights } });
          if (answer.status === 200) groupRights[one.group] = one.rights;
        } else {
          const set =
            one.kind === "extra"
              ? { extraPermissions: one.rights }
              : one.kind === "block"
                ? { blocked: one.blocked }
                : { groups: one.groups.map((group) => groupIds[group]) };
          answer = await bench.post(actor.token, "/user/manage", { userId: people[one.target]?.id, set });
          const target = model[one.target];
          if (answer.status === 200 && target !== undefined) {
            if (one.kind === "extra") target.extra = one.rights;
            else if (one.kind === "block") target.blocked = one.blocked;
            else target.groups = one.groups;
          }
        }
        const needed = one.kind === "group" ? "admin.groups.manage" : "admin.users.manage";
        if (actorModel.blocked && one.kind !== "block") assert.equal(answer.status, 401);
        if (!isGranted(held, needed)) assert.equal(answer.status, 401);
        if (answer.status === 200 && !held.has("admin")) {
          for (const [index, user] of model.entries()) {
            for (const permission of heldBy(user)) {
              const had = before[index]?.has(permission) ?? false;
              assert.ok(had || isGranted(held, permission), `${permission} came from somebody without it`);
            }
          }
        }
        assert.ok(
          model.some((user) => !user.blocked && heldBy(user).has("admin")),
          "an administrator stays",
        );
      }
      for (const [index, person] of people.entries()) {
        const user = model[index];
        assert.ok(user !== undefined);
        const { status, body } = await bench.other.post(person.token, "/user/info");
        if (user.blocked) assert.equal(status, 401);
        else assert.deepEqual(body.permissions, [...heldBy(user)].toSorted());
      }
    }),
    { numRuns: 25 },
  );
});
