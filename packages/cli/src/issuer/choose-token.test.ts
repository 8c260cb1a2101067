import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseToken } from "./choose-token.ts";

function token(payload: object): string {
  return `e30.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.s`;
}

test("the first token for the audience is chosen, also among several audiences", () => {
  const access = token({ aud: ["account", "swath"] });
  const id = token({ aud: "swath" });
  assert.equal(chooseToken([access, id], "swath"), access);
  assert.equal(chooseToken(["opaque", id], "swath"), id);
  assert.equal(chooseToken([undefined, id], "swath"), id);
});

test("tokens for others are refused with the names of their audiences", () => {
  assert.throws(() => chooseToken([token({ aud: "account" }), token({ aud: "web" })], "swath"), {
    message: 'the issuer gave no token for the audience "swath"; its tokens are for "account" and "web"',
  });
  assert.throws(() => chooseToken(["opaque"], "swath"), /for nobody named/u);
});
