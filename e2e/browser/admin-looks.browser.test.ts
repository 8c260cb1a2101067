import { ADMIN } from "../service-process.ts";
import { inEachLook } from "./in-each-look.ts";
import { signInAs } from "./sign-in-as.ts";

inEachLook(
  "each part of administration fits and breaks no rule of WCAG 2.2 AA",
  async ({ page, service, theme, look }) => {
    await page.goto(`${service.baseUrl}/console/admin/users?ui=${theme}`);
    await signInAs(page, ADMIN);
    for (const name of ["Users", "Groups", "Keys and sign-in", "Prices", "Audit log"]) {
      await page.getByRole("link", { name }).click();
      await page.getByRole("heading", { name }).first().waitFor();
      await page.locator(".page table, .page .hint").first().waitFor();
      await look(name, `admin-${name.toLowerCase().replaceAll(/\W+/g, "-")}`);
    }
    await page.getByRole("link", { name: "Users" }).click();
    await page.getByRole("button", { name: "Change Demo" }).click();
    await page.getByRole("row", { name: "mapsvc" }).first().waitFor();
    await page.getByText("This user has no API key.").waitFor();
    await look("permissions, keys and sessions of a user");
    await page.getByRole("button", { name: "End all sessions" }).click();
    await page.getByRole("dialog").waitFor();
    await look("the question before sessions end");
  },
);
