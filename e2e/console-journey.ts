import assert from "node:assert/strict";
import type { Answer, RawClient } from "./raw-client.ts";

const HEADER = { "X-Swath-Console": "1" };

const cookieOf = ({ headers }: Answer): string => headers.get("set-cookie")?.split(";")[0] ?? "";

/** Signs in as the console does, continues the session by its cookie, and signs out. */
export async function consoleSessionJourney(
  anonymous: RawClient,
  user: { readonly email: string; readonly password: string },
): Promise<void> {
  const ways = await anonymous.post("/console/sign-in", {}, HEADER);
  assert.deepEqual(ways.body, { password: true, issuers: [] });
  const demonstration = await anonymous.post("/console/demonstration", {}, HEADER);
  assert.deepEqual(demonstration.body, { email: user.email, password: user.password });
  const credentials = { username: user.email, password: user.password };
  const first = await anonymous.post("/console/session", credentials, HEADER);
  assert.equal(first.body.expires_in, 900);
  assert.equal((await anonymous.as(first.body.access_token).post("/user/info")).body.email, user.email);
  const next = await anonymous.post("/console/session", {}, { ...HEADER, Cookie: cookieOf(first) });
  assert.equal(next.body.userId, first.body.userId);
  const sessions = await anonymous.as(first.body.access_token).post("/user/session/list");
  const [{ id }] = sessions.body.results;
  assert.ok(cookieOf(next).includes(id), "the listed session is the one of this browser");
  const present = { ...HEADER, Cookie: cookieOf(next) };
  assert.deepEqual((await anonymous.post("/console/session/end", {}, present)).body, { ended: true });
  assert.equal((await anonymous.post("/console/session", {}, present)).status, 401);
}

const listed = async (client: RawClient): Promise<{ pipelineId: string; status: string }[]> =>
  (await client.post("/tasking/list-pipelines", { includeQuick: true, limit: 200 })).body.results;

/** Lists the pipelines of a user; another user does not see them. */
export async function pipelineListJourney(user: RawClient, other: RawClient): Promise<void> {
  const own = await listed(user);
  const [newest] = own;
  assert.ok(newest !== undefined);
  const { body } = await user.as(null).post("/tasking/get-status", { pipelineId: newest.pipelineId });
  assert.equal(body.status, newest.status);
  const ids = new Set(own.map(({ pipelineId }) => pipelineId));
  assert.deepEqual(
    (await listed(other)).filter(({ pipelineId }) => ids.has(pipelineId)),
    [],
  );
}
