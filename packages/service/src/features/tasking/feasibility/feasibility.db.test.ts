import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { FeasibilityWindow } from "@swath/contract/features/tasking/feasibility-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Position } from "@swath/kernel/geometry/geojson";
import type { OfferedWindow, TaskingRequest } from "../../../tasking-providers/tasking-provider.ts";
import { forgetWindows } from "./forget-windows.ts";
import { hoursFromNow, SPOTLIGHT, studyBench, type Answer, type Person, type StudyBench } from "./testing.ts";
import { readWindow } from "./window-store.ts";

const STUDY = "/scene-tasking/feasibility";
const MULTI = "/scene-tasking/multi-feasibility";
const HOUR_MS = 3_600_000;

/** Calls of a provider that answers when the test says so. */
interface HeldCall {
  readonly request: TaskingRequest;
  readonly signal: AbortSignal;
  answer(windows: readonly OfferedWindow[]): void;
}

const held: HeldCall[] = [];
let onCall: () => void = () => {};

async function holdCall(request: TaskingRequest, signal: AbortSignal): Promise<readonly OfferedWindow[]> {
  const { promise, resolve } = Promise.withResolvers<readonly OfferedWindow[]>();
  held.push({ request, signal, answer: resolve });
  onCall();
  return await promise;
}

async function nextCall(known: number): Promise<HeldCall> {
  for (;;) {
    const call = held[known];
    if (call !== undefined) return call;
    const { promise, resolve } = Promise.withResolvers<void>();
    onCall = resolve;
    await promise;
  }
}

async function isDown(): Promise<never> {
  throw new ServiceError("SERVICE-UNAVAILABLE", "the provider is down for the night");
}

async function isBroken(): Promise<never> {
  throw new TypeError("secret of the adapter");
}

let bench: StudyBench;
let ada: Person;
let colleague: Person;
let stranger: Person;

before(async () => {
  bench = await studyBench({
    adapters: {
      SkySatCollect: { feasibility: holdCall },
      spot: { feasibility: isDown },
      "pleiades-neo": { feasibility: isBroken },
    },
  });
  ada = await bench.addUser("ada");
  colleague = await bench.addUser("colleague", ada.groupId);
  stranger = await bench.addUser("stranger");
});
after(() => bench[Symbol.asyncDispose]());

const week = hoursFromNow(48, 216);

async function windowsOf(more: object = {}, person = ada): Promise<readonly FeasibilityWindow[]> {
  const { status, body } = await bench.run(STUDY, { ...SPOTLIGHT, ...week, ...more }, person);
  assert.equal(status, 200, JSON.stringify(body));
  return body.windows;
}

/** Asks for partial results until a condition holds. */
async function partialUntil(pipelineId: string, holds: (body: Answer["body"]) => boolean): Promise<Answer["body"]> {
  for (;;) {
    const { body } = await bench.post(`${MULTI}/retrieve`, { pipelineId, allowPartial: true }, ada);
    if (holds(body)) return body;
    await bench.post("/tasking/get-status", { pipelineId, waitSeconds: 0 }, ada);
  }
}

test("windows ascend, lie within the interval and are kept with what they were computed from", async () => {
  const windows = await windowsOf();
  assert.ok(windows.length > 0);
  const starts = windows.map(({ startTime }) => Date.parse(startTime));
  assert.deepEqual(
    starts,
    starts.toSorted((one, other) => one - other),
  );
  const [from, to] = [Date.parse(week.startTime ?? ""), Date.parse(week.endTime ?? "")];
  assert.ok(windows.every((one) => Date.parse(one.startTime) >= from && Date.parse(one.endTime) <= to));
  const [window] = windows;
  assert.ok(window !== undefined);
  const stored = await readWindow(bench.db, window.windowId, ada);
  assert.deepEqual(stored?.document, window);
  assert.ok("epoch" in (stored?.offer.computedFrom ?? {}), JSON.stringify(stored?.offer.computedFrom));
  assert.equal(stored?.offer.satellite, window.satellite);
});

test("a window can be ordered until its least offset before it begins, and for three days at most", async () => {
  const nowMs = Date.now();
  for (const { startTime, expiresAt } of await windowsOf()) {
    const latest = Math.min(Date.parse(startTime) - 24 * HOUR_MS, nowMs + 72 * HOUR_MS);
    assert.ok(Math.abs(Date.parse(expiresAt) - latest) < 60_000, `${startTime} until ${expiresAt}`);
  }
});

test("a stricter limit of clouds lowers the probability and raises the attempts, at the same price", async () => {
  const optical = { dataset: "newsat", priority: "assured" };
  const [strict] = await windowsOf({ ...optical, orderOptions: { maxCloudCover: 0.05 } });
  const [loose] = await windowsOf({ ...optical, orderOptions: { maxCloudCover: 0.5 } });
  assert.ok(strict !== undefined && loose !== undefined);
  assert.ok(strict.cloudProbability < loose.cloudProbability);
  assert.ok((strict.expectedAttempts ?? 0) > (loose.expectedAttempts ?? 0));
  assert.equal(strict.price, loose.price);
  const [never] = await windowsOf({ ...optical, orderOptions: { maxCloudCover: 0 } });
  assert.deepEqual([never?.cloudProbability, never?.expectedAttempts], [0, null]);
});

test("the group of a study sees its result and uses its windows; others do neither", async () => {
  const { body } = await bench.post(`${STUDY}/initiate`, { ...SPOTLIGHT, ...week }, ada);
  const { pipelineId } = body;
  await bench.post("/tasking/get-status", { pipelineId, waitSeconds: 30 }, ada);
  const seen = await bench.post(`${STUDY}/retrieve`, { pipelineId }, colleague);
  assert.equal(seen.status, 200);
  assert.equal((await bench.post(`${STUDY}/retrieve`, { pipelineId }, stranger)).status, 404);
  const { windowId } = seen.body.windows[0];
  const order = { ...SPOTLIGHT, windowId };
  assert.equal((await bench.post("/scene-tasking/check-credit", order, colleague)).status, 200);
  const foreign = await bench.post("/scene-tasking/check-credit", order, stranger);
  assert.deepEqual([foreign.status, foreign.body.error], [404, "NON-EXISTENT-WINDOW"]);
});

test("partial results arrive as providers answer, and failures are named without failing the others", async () => {
  const call = held.length;
  const params = ["SkySatCollect", "spot", "spotlight", "pleiades-neo"].map((dataset) => ({
    ...SPOTLIGHT,
    ...week,
    dataset,
  }));
  const initiated = await bench.post(`${MULTI}/initiate`, { params }, ada);
  const { pipelineId } = initiated.body;
  const slow = await nextCall(call);
  const partial = await partialUntil(
    pipelineId,
    ({ failedDatasets, results }) => failedDatasets.length === 2 && results.length === 1,
  );
  assert.equal(partial.results[0].dataset, "spotlight");
  assert.equal((await bench.post(`${MULTI}/retrieve`, { pipelineId }, ada)).body.error, "PIPELINE-NOT-PROCESSED");
  slow.answer([]);
  await bench.post("/tasking/get-status", { pipelineId, waitSeconds: 30 }, ada);
  const { body } = await bench.post(`${MULTI}/retrieve`, { pipelineId }, ada);
  assert.deepEqual(
    body.results.map(({ dataset }: { dataset: string }) => dataset),
    ["SkySatCollect", "spotlight"],
  );
  assert.deepEqual(body.failedDatasets, [
    { index: 1, dataset: "spot", error: "SERVICE-UNAVAILABLE", errorMessage: "the provider is down for the night" },
    { index: 3, dataset: "pleiades-neo", error: "PROCESSING-ERROR", errorMessage: "the study failed unexpectedly" },
  ]);
});

test("a study without windows says whether the provider offers none or all begin too soon", async () => {
  const request = { ...SPOTLIGHT, ...week, dataset: "SkySatCollect" };
  const studied = async (...offers: readonly OfferedWindow[]): Promise<Answer["body"]> => {
    const call = held.length;
    const answered = bench.run(STUDY, request, ada);
    (await nextCall(call)).answer(offers);
    const { body } = await answered;
    assert.deepEqual([body.windows, body.orbits], [[], []]);
    return body.empty;
  };
  const none = await studied();
  assert.equal(none.code, "NO-PASS");
  assert.match(none.message, /^Planet SkySatCollect offers no pass from 20\S+Z to 20\S+Z within its angles/);
  const startMs = Date.now() + HOUR_MS;
  const offer: OfferedWindow = {
    startMs,
    closestMs: startMs,
    endMs: startMs,
    offNadirDeg: null,
    incidenceDeg: null,
    lookSide: null,
    pass: null,
    sunElevationDeg: 30,
    satellite: "SKYSAT",
    mode: "collect",
    coverageRatio: 1,
    strips: [],
    uncertaintyS: 1,
    offerId: null,
    computedFrom: {},
  };
  assert.deepEqual(await studied(offer, offer), {
    code: "TOO-SOON",
    message: "all 2 windows begin too soon: orders are placed at least 24 h before a window",
  });
});

test("a study that is cancelled in the middle ends the question to the provider", async () => {
  const call = held.length;
  const request = { ...SPOTLIGHT, ...week, dataset: "SkySatCollect" };
  const initiated = await bench.post(`${STUDY}/initiate`, request, ada);
  const { signal } = await nextCall(call);
  assert.equal(signal.aborted, false);
  const { pipelineId } = initiated.body;
  assert.equal((await bench.post("/tasking/cancel", { pipelineId }, ada)).status, 200);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  const retrieved = await bench.post(`${STUDY}/retrieve`, { pipelineId }, ada);
  assert.deepEqual([retrieved.status, retrieved.body.error], [424, "PIPELINE-CANCELLED"]);
});

test("a provider that does not answer in time fails its study with the reason", async () => {
  await using impatient = await studyBench({
    adapters: { SkySatCollect: { feasibility: holdCall } },
    providerTimeoutMs: 50,
  });
  const person = await impatient.addUser("ada");
  const { status, body } = await impatient.run(STUDY, { ...SPOTLIGHT, ...week, dataset: "SkySatCollect" }, person);
  assert.equal(status, 424);
  assert.deepEqual(body.errorMessage, "Planet has not answered within 0.05 s");
});

function circle(corners: number, radiusDeg: number): Position[] {
  return Array.from({ length: corners + 1 }, (_, i): Position => {
    const angle = ((i % corners) / corners) * 2 * Math.PI;
    return [10 + radiusDeg * Math.cos(angle), 10 + radiusDeg * Math.sin(angle)];
  });
}

/** Status and message of a study that differs from the usual one by some members. */
async function refusal(more: object): Promise<string> {
  const { status, body } = await bench.post(`${STUDY}/initiate`, { ...SPOTLIGHT, ...week, ...more }, ada);
  return `${status} ${body.errorMessage}`;
}

async function refusedArea(...coordinates: Position[][]): Promise<string> {
  return await refusal({ geometry: { type: "Polygon", coordinates } });
}

test("polygons of 250 corners, over a continent, with holes or crossings are refused with the reason", async () => {
  const bow: Position[] = [
    [0, 0],
    [1, 1],
    [1, 0],
    [0, 1],
    [0, 0],
  ];
  assert.match(await refusedArea(circle(250, 20)), /^422 .*has 250 corners, expected fewer than 250/);
  assert.match(await refusedArea(circle(249, 20)), /^400 .*bounding rectangle of 4\d{3} km, expected less than 400 km/);
  assert.match(await refusedArea(circle(10, 1), circle(10, 0.5)), /^422 .*has 1 holes, expected none/);
  assert.match(await refusedArea(bow), /^422 .*crosses or touches itself/);
  assert.match(await refusedArea(bow.slice(0, 2)), /^422 /);
});

test("every member is used or refused: a misspelt one, one of another model, a study that says it is none", async () => {
  assert.match(await refusal({ projectname: "x" }), /^422 .*did you mean "projectName"/);
  assert.match(await refusal({ orderOptions: { maxClouds: 0.1 } }), /^422 .*\/orderOptions\/maxClouds/);
  assert.match(await refusal({ orderOptions: { exclusivity: "mine" } }), /^422 .*expected one of public/);
  assert.match(await refusal({ name: "  " }), /^422 /);
  assert.match(await refusal({ priority: "express" }), /^422 .*expected one of flexible, standard, priority, urgent/);
  assert.match(await refusal({ isFeasibility: false }), /^422 .*expected true/);
  assert.match(await refusal(hoursFromNow(1, 48)), /^422 .*expected 24 h to 2160 h of a study/);
  assert.match(await refusal({ dataset: "PSScene" }), /^422 .*takes no orders/);
});

test("many callers at once are all answered", async () => {
  const people = await Promise.all(Array.from({ length: 8 }, (_, index) => bench.addUser(`caller-${index}`)));
  const answers = await Promise.all(
    people.flatMap((person) =>
      ["spotlight", "stripmap", "pleiades"].map((dataset) =>
        bench.run(STUDY, { ...SPOTLIGHT, ...week, dataset }, person),
      ),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 200),
  );
});

test("windows are forgotten a day after they expired", async () => {
  const [window] = await windowsOf({}, stranger);
  assert.ok(window !== undefined);
  const expiresMs = Date.parse(window.expiresAt);
  const never = new AbortController().signal;
  const at = (ms: number) => ({ db: bench.db, clock: { now: () => new Date(ms) } });
  await forgetWindows(at(expiresMs + 23 * HOUR_MS), never);
  assert.ok((await readWindow(bench.db, window.windowId, stranger)) !== null);
  assert.ok((await forgetWindows(at(expiresMs + 25 * HOUR_MS), never)) > 0);
  assert.equal(await readWindow(bench.db, window.windowId, stranger), null);
});
