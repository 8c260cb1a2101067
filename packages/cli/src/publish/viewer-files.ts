import { copyFile, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { basemapNames, consoleFilePath } from "@swath/service/console-files";
import { PAGE_FILE, type PublicationDraft } from "./publication-folder.ts";

/** The page of the console's bundle for published folders. */
const VIEWER_PAGE = "published.html";

/** Writes the viewer: its page, the files that the page names, and the outlines of land. */
export async function writeViewer(draft: PublicationDraft): Promise<void> {
  const page = await readFile(consoleFilePath(VIEWER_PAGE), "utf8");
  const named = [...page.matchAll(/(?:href|src)="assets\/([^"]+)"/gu)].map(([, name = ""]) => name);
  for (const name of [...named, ...basemapNames()]) {
    await copyFile(consoleFilePath(name), draft.path(`assets/${basename(name)}`));
  }
  await draft.write(PAGE_FILE, page);
}
