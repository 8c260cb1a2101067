import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { RawClient } from "../raw-client.ts";
import { DEMO, ServiceProcess } from "../service-process.ts";
import { launchBrowser, signIn, watchFaults } from "./open-console.ts";
import { assertAccessible } from "./violations.ts";

test("a webhook shows its secret once, delivers a test, sends it again and is deleted", async () => {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(String(request.headers["webhook-id"]));
    request.resume();
    response.writeHead(204).end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const host = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  await using service = await ServiceProcess.start({ SWATH_WEBHOOK_HOSTS: host });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
    const faults = watchFaults(page);
    await signIn({ page, service });
    await page.goto(`${service.baseUrl}/console/monitors/webhooks`);
    await page.getByText("No webhook yet.").waitFor();
    await assertAccessible(page, "no webhook");
    await page.getByLabel("Address").fill(`${host}/swath`);
    await page.getByRole("button", { name: "Create a webhook" }).click();
    assert.match(await page.locator("code.secret").innerText(), /^whsec_[A-Za-z0-9+/]{43}=$/);
    await assertAccessible(page, "secret");
    await page.getByRole("button", { name: "I have kept it" }).first().click();
    assert.equal(await page.getByText("whsec_").count(), 0);
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText(/^Deliveries/).click();
    for (const times of [1, 2]) {
      while (received.length < times) await once(receiver, "request");
      await page.getByRole("button", { name: "Look again" }).click();
      // The attempt is written down after its answer.
      while (!/delivered/.test(await page.locator("ul.cards").first().innerText())) {
        await page.getByRole("button", { name: "Look again" }).click();
      }
      if (times === 1) await page.getByRole("button", { name: "Send again webhook.test" }).click();
    }
    assert.equal(received[0], received[1], "the same event twice");
    await assertAccessible(page, "deliveries");
    await page.getByRole("button", { name: "Delete" }).click();
    await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No webhook yet.").waitFor();
    const demo = await new RawClient(service.baseUrl).login(DEMO);
    assert.deepEqual((await demo.post("/webhook/list")).body.results, []);
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
    receiver.close();
  }
});
