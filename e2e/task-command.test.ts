import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { elementsOf } from "./elements-journey.ts";
import { openCommandLine, type CommandLine } from "./cli-runner.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

const CONTRACT = {
  id: "radar-2026",
  name: "Radar 2026",
  provider: "radar-multi",
  isDefault: true,
  start: "2026-01-01",
  end: "2100-01-01",
  deliveryLocations: [{ method: "ingest", path: "/", id: "store" }],
  imagingModes: { allowed: ["spotlight"] },
  imagingModeCapabilities: [{ mode: "spotlight", productTypes: { allowed: ["sar-grd"], slaApplicable: [] } }],
  priority: { allowed: ["standard"], default: "standard" },
  exclusivity: { allowed: ["public"], default: "public" },
  catalogCollections: { allowed: ["store"], default: "store" },
  eula: { allowed: ["standard"], default: "standard" },
  sla: { allowed: [], default: null },
  pricePlan: [{ mode: "spotlight", creditsPerKm2: 0.4 }],
};

const STUDY = ["task", "feasibility", "--dataset", "spotlight", "--place", "14.42,50.09"] as const;

suite("the command task", () => {
  let service: ServiceProcess;
  let demo: CommandLine;
  let admin: CommandLine;

  before(async () => {
    service = await ServiceProcess.start();
    demo = await openCommandLine(service, DEMO);
    admin = await openCommandLine(service, ADMIN);
  });
  after(async () => {
    await demo[Symbol.asyncDispose]();
    await admin[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  test("a contract is set from a file, listed and deleted, and users set none", async () => {
    const file = join(admin.folder, "contract.json");
    writeFileSync(file, JSON.stringify(CONTRACT));
    assert.equal((await demo.run("task", "contracts", "set", file)).status, 3);
    const set = await admin.run("task", "contracts", "set", file);
    assert.equal(set.status, 0, set.stderr);
    assert.match(set.stdout, /radar-2026 with radar-multi holds from 2026-01-01 00:00:00/);
    const { results } = await demo.json("task", "contracts", "list", "--provider", "radar-multi");
    assert.equal(results[0].id, "radar-2026");
    // What the list prints is what the file of a contract holds.
    writeFileSync(file, JSON.stringify({ ...results[0], name: "Radar, renamed" }));
    assert.equal((await admin.json("task", "contracts", "set", file)).name, "Radar, renamed");
    assert.match((await demo.run("task", "contracts", "list")).stdout, /radar-2026 +radar-multi +all +default/);
    writeFileSync(file, "[1]");
    assert.equal((await admin.run("task", "contracts", "set", file)).status, 2);
  });

  test("a study is a table, a picture and names of windows; its prices follow the contract", async () => {
    const out = join(demo.folder, "windows.png");
    const { status, stdout, stderr } = await demo.run(...STUDY, "--out", out);
    assert.equal(status, 0, stderr);
    const [titles = "", first = ""] = stdout.split("\n");
    assert.match(titles, /start, UTC +seconds +satellite +off-nadir/);
    // 25 km2 of 0.4 credits, for an order of the contract's priority: 1.3 times.
    assert.match(first, /^@1 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +\d+ +SIM CR-\d +[\d.]+° +(left|right) .* 13$/);
    assert.deepEqual([...readFileSync(out).subarray(1, 4)], [...Buffer.from("PNG")]);
    const study = await demo.json(...STUDY, "--no-picture");
    assert.equal(study.picture, null);
    assert.ok(study.windows.length > 5);
    const epochs = new Set(study.orbits.map(({ satellite, epoch }: Orbit) => `${satellite} ${epoch}`));
    for (const { satellite, elementsEpoch } of study.windows) assert.ok(epochs.has(`${satellite} ${elementsEpoch}`));
  });

  test("element sets are imported from files and listed; a faulty set is told with its reason", async () => {
    const file = join(admin.folder, "orbits.json");
    writeFileSync(file, JSON.stringify([elementsOf(38_012), elementsOf(38_012, { ECCENTRICITY: 0.5 })]));
    const imported = await admin.run("task", "elements", "import", file);
    assert.equal(imported.status, 0, imported.stderr);
    assert.match(imported.stdout, /1 of 2 sets are new, omm-json/);
    assert.match(imported.stdout, /38012 .*refused .*eccentricity/i);
    assert.match((await admin.run("task", "elements", "list")).stdout, /38012 +PLEIADES 1A .* fresh +omm-json/);
    assert.equal((await demo.run("task", "elements", "import", file)).status, 3);
    writeFileSync(file, "no elements");
    assert.equal((await admin.run("task", "elements", "import", file)).status, 2);
  });

  test("what the contract does not allow is refused with what it allows, as wrong usage", async () => {
    const urgent = await demo.run(...STUDY, "--priority", "urgent", "--no-picture");
    assert.equal(urgent.status, 2);
    assert.match(urgent.stderr, /priority.*is urgent, expected one of standard under contract radar-2026/);
    const nowhere = await demo.run("task", "feasibility", "--dataset", "spotlight");
    assert.deepEqual([nowhere.status, /needs --place lon,lat or --area/.test(nowhere.stderr)], [2, true]);
    const deleted = await admin.run("task", "contracts", "delete", "radar-2026");
    assert.equal(deleted.status, 0, deleted.stderr);
    assert.equal((await admin.run("task", "contracts", "delete", "radar-2026")).status, 4);
  });
});

suite("orders by the command task", () => {
  let service: ServiceProcess;
  let demo: CommandLine;

  before(async () => {
    // A day of an order in three seconds.
    service = await ServiceProcess.start({ SWATH_TASKING_SPEED: "28800" });
    demo = await openCommandLine(service, DEMO);
  });
  after(async () => {
    await demo[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  test("a window is checked, ordered and watched until its scene is there", async () => {
    await demo.json(...STUDY, "--no-picture");
    const checked = await demo.json("task", "order", "@1", "--check");
    assert.deepEqual([checked.cost, checked.areaKm2], [0, 25]);
    assert.deepEqual((await demo.json("task", "orders")).results, []);
    const order = await demo.json("task", "order", "@1", "--most", "5");
    const listed = await demo.run("task", "orders");
    assert.match(listed.stdout, new RegExp(`${order.id} +[A-Z_]+ +radar-multi/spotlight`));
    const watched = await demo.run("task", "watch", "@last", "--every", "1");
    assert.equal(watched.status, 0, watched.stderr);
    assert.match(watched.stderr, /RECEIVED[\s\S]*IN_PROGRESS[\s\S]*FULFILLED/);
    const [sceneId = ""] = watched.stdout.split("\n");
    assert.match(sceneId, /^radar--multi[.]spotlight[.]/);
    assert.equal((await demo.json("scenes", "info", sceneId)).dataset, "spotlight");
    const late = await demo.run("task", "cancel", "@last");
    assert.match(late.stderr, /ILLEGAL-STATE-TRANSITION/);
    assert.notEqual(late.status, 0);
  });

  test("an order that ends without a scene ends its watching with the reason", async () => {
    const study = await demo.json(...STUDY, "--no-picture", "--name", "to be cancelled");
    const order = await demo.json("task", "order", `@${study.windows.length}`);
    const cancelled = await demo.run("task", "cancel", order.id);
    assert.equal(cancelled.status, 0, cancelled.stderr);
    const watched = await demo.run("task", "watch", order.id, "--every", "1");
    assert.equal(watched.status, 1);
    assert.match(watched.stderr, /the order is CANCELLED/);
    assert.equal((await demo.run("task", "watch", "@first")).status, 2);
    assert.equal((await demo.run("task", "watch", "00000000-0000-4000-8000-000000000000")).status, 4);
  });
});

interface Orbit {
  readonly satellite: string;
  readonly epoch: string;
}
