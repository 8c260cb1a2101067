import { makeCoastMaps } from "./made-maps.ts";
import { inEachLook } from "./in-each-look.ts";
import { signIn } from "./open-console.ts";

inEachLook("every state of a comparison fits and breaks no rule of WCAG 2.2 AA", async (looked) => {
  const { page, service, theme, look } = looked;
  const { mapIds } = await makeCoastMaps(service, ["imagery", "ndvi"]);
  await signIn(looked);
  await page.goto(`${service.baseUrl}/console/compare?ui=${theme}`);
  await page.getByText("Make two maps first.").waitFor();
  await look("nothing to compare");
  const parts = mapIds.map((mapId) => mapId.replaceAll(".", "%2E")).join("/");
  await page.goto(`${service.baseUrl}/console/compare/${parts}?ui=${theme}`);
  await page.locator('select[aria-label="Map B"] option').nth(1).waitFor({ state: "attached" });
  await page.waitForURL(/[?&]v=15\.0/);
  await page.locator("#map[data-rendered=true]").waitFor();
  await look("by a line", "compare");
  await page.getByText("Split").click();
  await page.locator(".compare-pane[data-rendered=true]").waitFor();
  await look("side by side", "compare-split");
  await page.getByText("Blink").click();
  await page.getByRole("button", { name: "Show the other map" }).waitFor();
  await look("one after the other");
  await page.goto(`${service.baseUrl}/console/compare/no/map?ui=${theme}`);
  await page
    .getByText(/is not available/)
    .first()
    .waitFor();
  await look("maps that are not available");
});
