import assert from "node:assert/strict";
import { after } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { boundsPolygon } from "../../packages/kernel/src/geometry/bounds-polygon.ts";
import { RawClient, type Answer } from "../raw-client.ts";
import { DEMO, ServiceProcess } from "../service-process.ts";

/** A pipeline as a recorded client follows it. */
export interface Followed {
  readonly result: Answer;
  readonly initiated: Answer;
  /** Questions for the status. */
  readonly asked: number;
  /** From the first question to the end. */
  readonly followedMs: number;
}

/** Seconds between two questions, by the `nextTry` of the last answer. */
export type Pause = (nextTrySeconds: number) => number;

/** As the service advises. */
export const asAdvised: Pause = (nextTry) => nextTry;
/** A loop without a pause. */
export const withoutPause: Pause = () => 0;
/** `time.sleep(1)`. */
export const aSecond: Pause = () => 1;

/**
 * The protocol as recorded clients have it: no status but 200 on the way, no member `error` in an answer, and no status
 * NEW once `nextTry` seconds have passed.
 */
export async function follow(client: RawClient, path: string, request: unknown, pause: Pause): Promise<Followed> {
  const initiated = await client.post(`${path}/initiate`, request);
  assert.equal(initiated.status, 200, JSON.stringify(initiated.body));
  assert.match(initiated.body.pipelineId, /^[0-9A-Za-z]{20}$/u);
  assert.equal(initiated.body.status, "NEW");
  assert.equal("error" in initiated.body, false);
  const { pipelineId } = initiated.body;
  let { nextTry } = initiated.body;
  await wait(Math.max(nextTry, pause(nextTry)) * 1000);
  const startedMs = performance.now();
  for (let asked = 1; ; asked += 1) {
    const { status, body } = await client.post("/tasking/get-status", { pipelineId });
    assert.equal(status, 200, JSON.stringify(body));
    assert.notEqual(body.status, "NEW");
    if (body.status === "RESOLVED" || body.status === "FAILED") {
      assert.equal("nextTry" in body, false);
      const followedMs = performance.now() - startedMs;
      const result = await client.post(`${path}/retrieve`, { pipelineId });
      return { result, initiated, asked, followedMs };
    }
    assert.ok(Number.isInteger(body.nextTry) && body.nextTry >= 0);
    nextTry = body.nextTry;
    await wait(pause(nextTry) * 1000);
  }
}

/** A part of Brisbane, inside the demonstration area. */
export const PLACE = boundsPolygon([153.1, -27.43, 153.13, -27.4]);

/** The demonstration user of a service as it is after its installation. The service ends after the tests of the file. */
export async function recordedClient(): Promise<RawClient> {
  const service = await ServiceProcess.start({ SWATH_RATE_LIMIT: "on" });
  after(() => service[Symbol.asyncDispose]());
  return await new RawClient(service.baseUrl).login(DEMO);
}

const DAY_MS = 86_400_000;

/** As requests write a time. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

/** A window that ends now. */
export function lastDays(days: number): { readonly startDatetime: string; readonly endDatetime: string } {
  const now = Date.now();
  return { startDatetime: timeText(now - days * DAY_MS), endDatetime: timeText(now) };
}
