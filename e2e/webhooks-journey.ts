import assert from "node:assert/strict";
import type { RawClient } from "./raw-client.ts";

/** A webhook is created, tested, changed and deleted. Its host does not exist: each attempt fails. */
export async function webhooksJourney(demo: RawClient): Promise<void> {
  const url = "https://hooks.example.invalid/swath";
  const { status, body: created } = await demo.post("/webhook/create", { url, types: ["order.status"] });
  assert.equal(status, 200, JSON.stringify(created));
  const { secret, ...webhook } = created;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const { id } = webhook;
  assert.deepEqual((await demo.post("/webhook/list")).body, { results: [webhook] });
  const refused = await demo.post("/webhook/create", { url: "https://169.254.169.254/" });
  assert.deepEqual([refused.status, refused.body.error], [422, "VALIDATION-ERROR"]);
  assert.notEqual((await demo.post("/webhook/rotate", { id })).body.secret, secret);
  assert.deepEqual((await demo.post("/webhook/test", { id })).body, {});
  let deliveries = [];
  while (deliveries.length === 0 || deliveries[0].log.length === 0) {
    ({ results: deliveries } = (await demo.post("/webhook/deliveries", { id })).body);
  }
  const [delivery] = deliveries;
  assert.deepEqual([delivery.type, delivery.status, delivery.log[0].status], ["webhook.test", "pending", null]);
  const replayed = await demo.post("/webhook/replay", { id, eventId: delivery.eventId });
  assert.deepEqual(replayed.body, { replayed: 0 }, "what waits is not sent again");
  const changed = await demo.post("/webhook/update", { id, types: [], enabled: false });
  assert.deepEqual([changed.body.types, changed.body.enabled], [[], false]);
  assert.deepEqual((await demo.post("/webhook/delete", { id })).body, {});
  assert.equal((await demo.post("/webhook/delete", { id })).status, 404);
}
