import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { DEMO, ServiceProcess } from "./service-process.ts";

const CONSOLE = { "x-swath-console": "1", "content-type": "application/json" };

/** Asks for the login of the demonstration user, with headers of choice, among them `Host`. */
async function ask(service: ServiceProcess, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const sent = request(`${service.baseUrl}/console/demonstration`, { method: "POST", headers });
  sent.end("{}");
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  return answer;
}

test("a reader on the machine of the service gets the login, and no other origin may read it", async () => {
  await using service = await ServiceProcess.start();
  const answer = await fetch(`${service.baseUrl}/console/demonstration`, {
    method: "POST",
    headers: { ...CONSOLE, origin: "https://elsewhere.example" },
    body: "{}",
  });
  assert.deepEqual(await answer.json(), DEMO);
  assert.equal(answer.headers.get("access-control-allow-origin"), null);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const { "x-swath-console": _, ...plain } = CONSOLE;
  assert.equal((await ask(service, plain)).statusCode, 400);
});

test("a foreign name of the host, a proxy and a service for other machines get no login", async () => {
  await using service = await ServiceProcess.start();
  assert.equal((await ask(service, { ...CONSOLE, host: "elsewhere.example" })).statusCode, 404);
  assert.equal((await ask(service, { ...CONSOLE, "x-forwarded-for": "203.0.113.7" })).statusCode, 404);
  await using open = await ServiceProcess.start({ SWATH_HOST: "0.0.0.0" });
  assert.equal((await ask(open, CONSOLE)).statusCode, 404);
});
