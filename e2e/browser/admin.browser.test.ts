import assert from "node:assert/strict";
import { test } from "node:test";
import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { ADMIN, DEMO } from "../service-process.ts";
import { choose } from "./choose.ts";
import { signInAs } from "./sign-in-as.ts";
import { openConsole, signIn, type OpenConsole } from "./open-console.ts";

const WIDE = { width: 1440, height: 900 };
const ADA = { email: "ada@swath.example", password: "a first password of Ada" } as const;
const NAME = "Ada <img src=x onerror=alert(1)>";
const PERMISSIONS = "imagery mapsvc credits geojson store ingest-scene algorithms";

/** Signs in as administrator and opens a section. */
async function openAdmin(console: OpenConsole, section: string): Promise<void> {
  const { page, service } = console;
  await page.goto(`${service.baseUrl}/console/admin/${section}`);
  await signInAs(page, ADMIN);
}

test("an administrator creates group, user and price, and the new user sees only what it may, at its price", async () => {
  await using console = await openConsole(WIDE);
  const { page, service, faults } = console;
  await openAdmin(console, "groups");
  const group = page.getByRole("form", { name: "Create a group" });
  await page.getByRole("table", { name: "Groups" }).waitFor();
  await group.getByLabel("Name").fill("Surveyors");
  await group.getByLabel("Organisation").selectOption("Demo");
  await group.getByLabel("Permissions").fill(PERMISSIONS);
  await group.getByRole("button", { name: "Create a group" }).click();
  await page.getByRole("button", { name: "Change Surveyors" }).waitFor();
  const grant = page.getByRole("form", { name: "Add credit" });
  await grant.getByLabel("Group").selectOption("Surveyors");
  await grant.getByLabel("Credit to add").fill("12.5");
  await grant.getByLabel("Note").fill("first credit");
  await grant.getByRole("button", { name: "Add credit" }).click();
  await grant.getByText("Done.").waitFor();

  await page.getByRole("link", { name: "Users" }).click();
  const user = page.getByRole("form", { name: "Create a user" });
  await user.getByLabel("E-mail").fill(ADA.email);
  await user.getByLabel("Name").fill(NAME);
  await user.getByLabel("First password, 8 characters or more").fill(ADA.password);
  await user.locator("select[name=groupId]").selectOption("Surveyors");
  await user.getByRole("button", { name: "Create a user" }).click();
  await page.getByRole("cell", { name: NAME }).first().waitFor();
  await page.getByRole("button", { name: `Change ${NAME}` }).click();
  const held = page.getByRole("region", { name: `Permissions of ${NAME}` });
  await held.getByRole("row", { name: "mapsvc group Surveyors" }).waitFor();
  await held.getByRole("searchbox").fill("mapsvc.release");
  await held.getByText("mapsvc.release is allowed by mapsvc, granted by group Surveyors.").waitFor();
  await held.getByRole("searchbox").fill("tasking.order");
  await held.getByText("tasking.order is denied").waitFor();

  await page.getByRole("link", { name: "Prices" }).click();
  const price = page.getByRole("form", { name: "Set a price" });
  await price.getByLabel("Provider").fill("local");
  await price.getByLabel("Dataset").fill("uploads");
  await price.getByLabel("Group").selectOption("Surveyors");
  await price.getByLabel("Credits per km²").fill("0.123457");
  await page.getByText("The first 100.0 km² of a scene cost 12.345700 credits.").waitFor();
  await price.getByRole("button", { name: "Set a price" }).click();
  await page.getByRole("cell", { name: "0.123457" }).waitFor();
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("cell", { name: "price-rule.create" }).waitFor();

  await page.getByRole("button", { name: "Sign out" }).click();
  await ingestCoast(await new RawClient(service.baseUrl).login(ADA));
  await page.goto(`${service.baseUrl}/console`);
  await signInAs(page, ADA);
  await page.getByText("12.50").waitFor();
  await page.getByRole("link", { name: "Credits" }).waitFor();
  for (const name of ["Admin", "Tasking"]) {
    assert.equal(await page.getByRole("link", { name }).count(), 0, name);
  }
  await choose(page);
  assert.match(await page.locator("dialog table.prices").innerText(), /0\.123457/);
  await page.goto(`${service.baseUrl}/console/admin/users`);
  await page.getByRole("heading", { name: "Keys and sign-in" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Users" }).count(), 0);
  assert.deepEqual(faults, []);
});

test("an API key is shown once, works, and is revoked; a blocked user is signed out", async () => {
  await using console = await openConsole(WIDE);
  const { page, service, faults } = console;
  await openAdmin(console, "keys");
  const form = page.getByRole("form", { name: "Create an API key" });
  await form.getByLabel("Name").fill("script");
  await form.getByLabel("Permissions").fill("admin.audit.list");
  await form.getByRole("button", { name: "Create an API key" }).click();
  const key = await page.locator("[data-testid=secret]").innerText();
  const ask = async () =>
    (
      await fetch(`${service.baseUrl}/audit/list`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: "{}",
      })
    ).status;
  assert.equal(await ask(), 200);
  await page.reload();
  await page.getByRole("button", { name: "Revoke script" }).waitFor();
  assert.equal(await page.locator("[data-testid=secret]").count(), 0);
  await page.getByRole("button", { name: "Revoke script" }).click();
  await page.getByText("No API key is yet here.").waitFor();
  assert.equal(await ask(), 401);

  await page.getByRole("link", { name: "Users" }).click();
  await page.getByRole("button", { name: "Block Demo" }).click();
  await page.getByRole("button", { name: "Unblock Demo" }).waitFor();
  assert.deepEqual(faults, []);
});

test("an administrator ends keys and sessions of a user, and deletes groups and organisations that are empty", async () => {
  await using console = await openConsole(WIDE);
  const { page, service, browser, faults } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const made = await demo.post("/user/api-key/create", { name: "notebook", permissions: ["imagery.availability"] });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const other = await browser.newPage();
  await signIn({ page: other, service });
  await openAdmin(console, "users");
  await page.getByRole("button", { name: "Change Demo" }).click();
  const keys = page.getByRole("region", { name: "API keys of Demo" });
  await keys.getByRole("button", { name: "Revoke notebook" }).click();
  await keys.getByText("This user has no API key.").waitFor();
  assert.equal((await demo.as(made.body.key).post("/user/info")).status, 401);
  const sessions = page.getByRole("region", { name: "Signed-in browsers of Demo" });
  await sessions.getByRole("button", { name: /^End the session of 20/ }).waitFor();
  await sessions.getByRole("button", { name: "End all sessions" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End all sessions" }).click();
  await sessions.getByText("No browser is signed in.").waitFor();
  assert.equal((await demo.post("/user/info")).status, 401, "tokens of programs end too");
  await other.reload();
  await other.getByLabel("E-mail").waitFor();

  await page.getByRole("link", { name: "Groups" }).click();
  const organization = page.getByRole("form", { name: "Create an organisation" });
  await organization.getByLabel("Name of the organisation").fill("Spare");
  await organization.getByRole("button", { name: "Create an organisation" }).click();
  await page.getByRole("button", { name: "Delete Spare" }).waitFor();
  const group = page.getByRole("form", { name: "Create a group" });
  await group.getByLabel("Name").fill("Nobody");
  await group.getByLabel("Organisation").selectOption("Spare");
  await group.getByRole("button", { name: "Create a group" }).click();
  const remove = async (name: string): Promise<void> => {
    // Groups stand above organisations.
    await page
      .getByRole("button", { name: `Delete ${name}` })
      .first()
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  };
  await remove("Spare");
  await page.getByText('The organisation "Spare" has 1 groups').waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await remove("Demo");
  await page.getByText('The group "Demo" has 1 members').waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await remove("Nobody");
  await page.getByRole("button", { name: "Delete Nobody" }).waitFor({ state: "detached" });
  await remove("Spare");
  await page.getByRole("button", { name: "Delete Spare" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Audit log" }).click();
  for (const action of ["organization.delete", "group.delete", "session.end", "api-key.revoke"]) {
    await page.getByRole("cell", { name: action }).first().waitFor();
  }
  assert.deepEqual(
    faults.filter((fault) => !/status of 409/.test(fault)),
    [],
  );
});
