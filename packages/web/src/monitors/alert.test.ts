import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { alertOf } from "./alert.ts";

const event = { id: "1", position: 7, type: "monitor.alert", subject: "monitor:m", time: "2026-06-12T10:03:11.000Z" };
const data = { monitorId: "m", name: "Field", sceneId: "s", datetime: "2026-06-12 10:03:11", alertCount: 1 };
const finding = { area: "0", value: 0.2, reference: 0.3, side: "below" };

test("an event of a monitor is an alert with its findings", () => {
  const { type: _type, subject: _subject, ...shown } = event;
  assert.deepEqual(alertOf({ ...event, data: { ...data, findings: [finding] } }), {
    ...shown,
    ...data,
    findings: [finding],
  });
  assert.equal(alertOf({ ...event, type: "monitor.result", data: { ...data, findings: [finding] } }), null);
});

test("an event of any content is an alert or none, and never a failure", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(data), "findings"), fc.anything()), (members) => {
      const alert = alertOf({ ...event, data: { ...data, ...members } });
      if (alert !== null) for (const { value } of alert.findings) assert.equal(typeof value, "number");
    }),
    { endOnFailure: true },
  );
});
