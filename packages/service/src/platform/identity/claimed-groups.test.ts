import assert from "node:assert/strict";
import { test } from "node:test";
import { claimedGroups } from "./claimed-groups.ts";

const anyGroup = { groups: null, organizationClaim: null };

test("without a mapping each value of the claim is the name of a group, once", () => {
  const payload = { groups: ["Analysts", "Managers", "Analysts", 7, ""] };
  assert.deepEqual(claimedGroups(payload, { ...anyGroup, groupsClaim: "groups" }), {
    names: ["Analysts", "Managers"],
    organization: null,
  });
});

test("a mapping names the groups of values, and other values count for nothing", () => {
  const groups = new Map([["gis-team", "Analysts"]]);
  const payload = { groups: ["gis-team", "Managers"] };
  assert.deepEqual(claimedGroups(payload, { ...anyGroup, groups, groupsClaim: "groups" }).names, ["Analysts"]);
});

test("a claim is found by its whole name before its path, and a single text is a list of one", () => {
  const keycloak = { realm_access: { roles: ["Analysts"] } };
  assert.deepEqual(claimedGroups(keycloak, { ...anyGroup, groupsClaim: "realm_access.roles" }).names, ["Analysts"]);
  const named = { "https://acme.example/groups": "Managers" };
  const claim = { ...anyGroup, groupsClaim: "https://acme.example/groups" };
  assert.deepEqual(claimedGroups(named, claim).names, ["Managers"]);
  assert.deepEqual(claimedGroups({}, claim).names, []);
  assert.deepEqual(claimedGroups({ realm_access: null }, { ...anyGroup, groupsClaim: "realm_access.roles" }).names, []);
});

test("with an organisation claim a token without it names no group", () => {
  const mapping = { groups: null, groupsClaim: "groups", organizationClaim: "org" };
  assert.deepEqual(claimedGroups({ groups: ["A"], org: "Acme" }, mapping), { names: ["A"], organization: "Acme" });
  assert.deepEqual(claimedGroups({ groups: ["A"] }, mapping), { names: [], organization: null });
});
