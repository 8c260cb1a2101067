import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { run } from "../packages/cli/src/program.ts";
import { COAST_AREA, ingestCoast } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

describe("swath admin", () => {
  const stack = new AsyncDisposableStack();
  let service: ServiceProcess;
  let folder: string;

  before(async () => {
    service = stack.use(await ServiceProcess.start());
    folder = await mkdtemp(join(tmpdir(), "swath-admin-"));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
  });
  after(() => stack.disposeAsync());

  /** Runs a command of `swath admin` as somebody. */
  async function as(
    { email, password }: { readonly email: string; readonly password: string },
    ...args: readonly string[]
  ) {
    let stdout = "";
    let stderr = "";
    const status = await run(["--url", service.baseUrl, "--email", email, "--password", password, "admin", ...args], {
      out: { write: (text) => (stdout += text) },
      err: { write: (text) => (stderr += text) },
      variables: { SWATH_CONFIG_HOME: folder },
    });
    return { status, stdout, stderr };
  }

  async function done(...args: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await as(ADMIN, ...args);
    assert.equal(status, 0, `${args.join(" ")}: ${stderr}`);
    return stdout;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever JSON arrives
  const json = async (...args: readonly string[]): Promise<any> => JSON.parse(await done(...args, "--json"));

  test("an administrator makes a group with its organisation, and users in it", async () => {
    const made = await done(
      "groups",
      "create",
      "Growers",
      "--organization",
      "Acme",
      "--permissions",
      "imagery, mapsvc",
    );
    assert.match(made, /^Growers is a group of Acme, id /);
    assert.match(await done("groups", "create", "Office", "--organization", "Acme"), /of Acme/);
    const { results } = await json("groups", "list");
    const [growers, office] = ["Growers", "Office"].map((name) =>
      results.find((one: { name: string }) => one.name === name),
    );
    assert.equal(growers.organizationId, office.organizationId);

    const shown = await done("users", "create", "ada@example.org", "--group", "Growers", "--manager");
    const password = /^the password is (\S{20}) \(shown once\)$/m.exec(shown)?.[1] ?? "";
    assert.notEqual(password, "", shown);
    // The manager lists the users of the group, and nobody else's.
    const own = await as({ email: "ada@example.org", password }, "users", "list");
    assert.match(own.stdout, /^email .*\n *ada@example\.org +ada /);
    assert.doesNotMatch(own.stdout, /admin@/);
    assert.match(await done("users", "list", "--group", "Growers", "--no-blocked"), /ada@example\.org/);
    assert.equal(await done("users", "list", "--group", "Office"), "no user fits --group, --search and --blocked\n");
  });

  test("members of users and groups change, accounts are blocked and unblocked, licences end", async () => {
    assert.equal(
      await done(
        "users",
        "change",
        "ada@example.org",
        "--name",
        "Ada",
        "--permissions",
        "algorithms",
        "--credit-limit",
        "5",
      ),
      "ada@example.org is changed\n",
    );
    const { results } = await json("users", "list", "--search", "ada@");
    assert.equal(results[0].name, "Ada");
    assert.equal((await as(ADMIN, "users", "change", "ada@example.org")).status, 2);
    assert.equal(await done("users", "deactivate", "ada@example.org"), "ada@example.org is blocked\n");
    assert.match(await done("users", "list", "--blocked"), /ada@example\.org .* blocked/);
    assert.equal(await done("users", "activate", results[0].id), "ada@example.org is active\n");

    await done("groups", "change", "Office", "--tier", "research", "--license-end", "2099-01-01");
    assert.match(await done("groups", "list"), /^Office +\S+ +research +2099-01-01T00:00:00\.000Z +0$/m);
    assert.match(await done("groups", "deactivate", "Office"), /^the licence of Office ended at 20/);
    const lifted = await json("groups", "change", "Office", "--license-end", "none");
    assert.equal(lifted.licenseEnd, null);
  });

  test("lists are bounded and say so; unknown names and missing rights have their exit codes", async () => {
    const two = await json("groups", "list", "--limit", "2");
    assert.deepEqual([two.results.length, two.complete], [2, false]);
    assert.match(await done("groups", "list", "--limit", "2"), /more than 2 rows/);
    assert.equal((await as(ADMIN, "groups", "list", "--limit", "10001")).status, 2);
    assert.equal((await as(ADMIN, "grants", "create", "nobody", "5", "--note", "n")).status, 4);
    assert.equal((await as(ADMIN, "users", "deactivate", "nobody@example.org")).status, 4);
    assert.equal((await as(DEMO, "groups", "create", "Mine", "--organization", "Acme")).status, 3);
    assert.equal((await as(DEMO, "invoices", "--month", "2026-03")).status, 3);
  });

  test("grants add and correct credit, prices hold until they end", async () => {
    assert.equal(
      await done("grants", "create", "Growers", "12.5", "--note", "bill 7", "--key", "7"),
      "Growers has 12.5 credits\n",
    );
    assert.equal(
      await done("grants", "create", "Growers", "12.5", "--note", "bill 7", "--key", "7"),
      "Growers has 12.5 credits\n",
    );
    assert.equal(
      await done("grants", "create", "Growers", "-2.5", "--note", "typing error"),
      "Growers has 10 credits\n",
    );
    assert.match(
      await done("grants", "list", "--group", "Growers"),
      /^time .*\n.* -2\.5 .*typing error\n.* 12\.5 .*bill 7\n$/,
    );
    assert.equal((await as(ADMIN, "grants", "create", "Growers", "much", "--note", "n")).status, 2);

    const subject = ["--provider", "local", "--dataset", "uploads", "--tier", "research"];
    const { id } = await json("prices", "create", ...subject, "--credits", "0.25", "--min-area", "2");
    assert.match(
      await done("prices", "list", "--tier", "research"),
      new RegExp(`${id} +local +uploads +all +research +0\\.25 +2`),
    );
    assert.equal((await as(ADMIN, "prices", "create", ...subject, "--credits", "1")).status, 1);
    assert.match(await done("prices", "end", id), /^the price .* ends at /);
    assert.equal(
      await done("prices", "list", "--tier", "research"),
      "no price rule in force; --ended also lists rules of before\n",
    );
    assert.match(await done("prices", "list", "--tier", "research", "--ended"), new RegExp(id));
    const own = await json("prices", "create", "--group", "Growers", "--credits", "2");
    const { results } = await json("groups", "list");
    assert.equal(own.groupId, results.find((one: { name: string }) => one.name === "Growers").id);
    assert.match(
      await done("prices", "list", "--group", "Growers"),
      new RegExp(`${own.id} .* ${own.groupId} +all +2 `),
    );
    const free = await json("prices", "create", "--credits", "0", "--tier", "research", "--free-area", "1,2,3,4");
    assert.equal(free.area.type, "MultiPolygon");
  });

  test("usage and the invoices of a month show the same charge, in tables, CSV and PDF", async () => {
    const anonymous = new RawClient(service.baseUrl, null);
    const demo = await anonymous.login(DEMO);
    const sceneId = await ingestCoast(demo);
    const { results: groups } = await json("groups", "list");
    const demoGroup = groups.find(({ name }: { name: string }) => name === "Demo");
    await json("prices", "create", "--provider", "local", "--dataset", "uploads", "--credits", "3");
    const paid = await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
    assert.ok(paid.body.cost > 0, JSON.stringify(paid.body));

    const log = await json("usage", "--group", "Demo");
    assert.deepEqual(
      log.results.map(({ credit }: { credit: number }) => credit),
      [paid.body.cost],
    );
    assert.match(await done("usage", "--group", "Demo"), /^time .*\n.*credit\.allocate .*local\/uploads/);
    const csv = join(folder, "usage.csv");
    await done("usage", "--group", "Demo", "--csv", csv);
    assert.equal((await readFile(csv, "utf8")).split("\r\n").length, 3);

    const month = new Date().toISOString().slice(0, 7);
    const out = join(folder, "invoices");
    const { results } = await json("invoices", "--month", month, "--out", out);
    assert.equal(results.length, 1, "groups without an entry need no invoice");
    const [invoice] = results;
    assert.deepEqual(
      [invoice.groupName, invoice.credit, invoice.isFinal, invoice.files],
      [
        "Demo",
        paid.body.cost,
        false,
        [`${month}-${demoGroup.id}.csv`, `${month}-${demoGroup.id}.pdf`].map((name) => join(out, name)),
      ],
    );
    const table = (await readFile(invoice.files[0], "utf8")).trimEnd().split("\r\n");
    assert.equal(Number(table[1]?.split(",").at(-1)), paid.body.cost);
    assert.equal((await readFile(invoice.files[1])).subarray(0, 5).toString(), "%PDF-");
    const named = await done("invoices", "--month", month, "--group", "Growers", "--format", "none");
    assert.match(named, new RegExp(`^month +group .*\\n${month} UTC +Growers +0 +0 +0 +provisional\\n$`));
  });
});
