import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { coastGeotiff } from "../make-geotiff.ts";
import { inEachLook } from "./in-each-look.ts";
import { signIn } from "./open-console.ts";

const INPUT = ".drop-zone input[type=file]";

inEachLook("every state of an ingest fits and breaks no rule of WCAG 2.2 AA", async (looked) => {
  const { page, service, theme, look } = looked;
  await signIn(looked);
  await page.goto(`${service.baseUrl}/console/ingest?ui=${theme}`);
  await page.getByText("Choose files").waitFor();
  await look("nothing yet");
  const scene = join(service.folder, "harbour_2024.tif");
  await writeFile(scene, coastGeotiff());
  await page.locator(INPUT).setInputFiles(scene);
  await page.getByLabel("Time of acquisition, UTC").waitFor();
  await look("time needed");
  const notes = join(service.folder, "notes.txt");
  await writeFile(notes, "no imagery");
  await page.locator(INPUT).setInputFiles(notes);
  await page.getByText("expected a GeoTIFF").waitFor();
  await look("failed");
  await page.getByRole("button", { name: "Remove notes.txt from the list" }).click();
  await page.getByLabel("Time of acquisition, UTC").fill("2024-06-30T10:15:00");
  await page.getByRole("button", { name: "Use this time" }).click();
  await page.locator(".understood").getByText("10\u00a0m").waitFor();
  await page.evaluate("document.querySelector('.side-body').scrollTo(0, 1000)");
  await look("understood", "ingest");
});
