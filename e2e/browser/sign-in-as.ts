import { DEMO } from "../service-process.ts";
import type { Page } from "./playwright.ts";

/** Signs in at the page that is open, in place of the demonstration user. */
export async function signInAs(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  const field = page.locator("dialog input[type=email]");
  // The page fills in the demonstration user, and later entries stay.
  await page.locator(`dialog input[value="${DEMO.email}"]`).waitFor();
  await field.fill(email);
  await page.locator("dialog input[type=password]").fill(password);
  await page.locator("dialog button[type=submit]").click();
  await field.waitFor({ state: "detached" });
}
