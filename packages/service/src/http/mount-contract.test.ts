import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { defineOperation } from "@swath/contract/kit/operation";
import type { PermissionsByContent } from "../platform/context.ts";
import { mountContract } from "./mount-contract.ts";
import type { Mounting } from "./mount.ts";

const look = defineOperation({
  path: "/look",
  summary: "Look at a picture",
  contentPermissions: ["pictures.<name>"],
  request: Type.Object({ name: Type.String() }),
  response: Type.Object({}),
});
const contract = { gallery: { look } } as const;
const handlers = { gallery: { look: () => Promise.resolve({}) } };
// No route is mounted: the refusal comes first.
const mounting = {} as Mounting;

test("a declaration with permissions by content is not mounted without their function", () => {
  assert.throws(() => mountContract(contract, { handlers, permissions: {} }, mounting, mounting), {
    name: "TypeError",
    message: "no permissions for gallery.look, which declares pictures.<name>",
  });
  const complete: PermissionsByContent<typeof contract.gallery> = { look: ({ name }) => [`pictures.${name}`] };
  assert.deepEqual(complete.look({ name: "a" }), ["pictures.a"]);
  // @ts-expect-error -- a missing function does not compile
  const missing: PermissionsByContent<typeof contract.gallery> = {};
  assert.deepEqual(missing, {});
});

test("a declaration without its handler is not mounted", () => {
  assert.throws(() => mountContract(contract, { handlers: {}, permissions: {} }, mounting, mounting), {
    message: "no handler for gallery.look",
  });
});
