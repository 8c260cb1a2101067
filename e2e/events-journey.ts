import assert from "node:assert/strict";
import type { RawClient } from "./raw-client.ts";

/** Events of the demonstration user are listed and followed. */
export async function eventsJourney(demo: RawClient): Promise<void> {
  const { status, body } = await demo.post("/events/list", { types: ["pipeline.resolved"], limit: 2 });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.results.length, 2);
  assert.equal(body.cursor, body.results[1].position);
  const followed = await demo.get("/events/stream?after=0&types=pipeline.resolved");
  assert.equal(followed.status, 200);
  let text = "";
  for await (const chunk of followed.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString("utf8");
    if (text.includes(`data: ${JSON.stringify(body.results[1])}\n\n`)) break;
  }
  assert.ok(text.includes(`id: ${body.results[0].position}\nevent: pipeline.resolved\n`));
}
