import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { choose } from "./choose.ts";
import { inEachLook } from "./in-each-look.ts";
import { signIn } from "./open-console.ts";

inEachLook("every state of an export fits and breaks no rule of WCAG 2.2 AA", async (looked) => {
  const { page, service, theme, look } = looked;
  await ingestCoast(await new RawClient(service.baseUrl).login(DEMO));
  await signIn(looked);
  await page.goto(`${service.baseUrl}/console/export?ui=${theme}`);
  await page.getByText("Make a map first.").waitFor();
  await look("nothing to export");
  await page.goto(`${service.baseUrl}/console?ui=${theme}`);
  await choose(page);
  await page.locator("dialog button.primary").click();
  await page.waitForURL(/[?&]l=/);
  await page.goto(page.url().replace("/console?", "/console/export?"));
  await page.getByLabel("GeoTIFF of the values").check();
  await page.getByRole("button", { name: "Make GeoTIFF of the values" }).click();
  await page.getByRole("link", { name: "Download" }).waitFor();
  await look("an export", "export");
});
