import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PUBLICATION_FILE, PUBLICATION_FORMAT } from "@swath/kernel/publication/publication";
import { UsageError } from "../exit-code.ts";

/** Folders of a publication, which a new one replaces whole. */
const FOLDERS = ["assets", "maps", "objects"] as const;
export const PAGE_FILE = "index.html";

/** A folder that a publication is made in, and moved from at its end: a failure leaves the published one. */
export interface PublicationDraft extends AsyncDisposable {
  /** The path of a file of the draft. @throws {Error} for a name that no publication has */
  path(name: string): string;
  write(name: string, bytes: string | Uint8Array): Promise<void>;
  /** Puts the draft in the place of an earlier publication; other files stay. */
  publish(): Promise<void>;
}

/**
 * Starts a publication in a new or empty folder, or with `replaces` in one with an earlier publication or other files.
 *
 * @throws {UsageError} for a folder with files that nobody allowed to replace
 */
export async function draftPublication(folder: string, replaces: boolean): Promise<PublicationDraft> {
  await mkdir(folder, { recursive: true });
  await refuseForeign(folder, replaces);
  const draft = await mkdtemp(join(folder, ".publishing-"));
  for (const name of FOLDERS) await mkdir(join(draft, name));
  const path = (name: string): string => {
    // Names come from numbers and map types; this line holds whatever a service answers.
    if (!/^(?:(?:assets|maps|objects)\/)?[A-Za-z0-9][A-Za-z0-9._-]*$/u.test(name)) {
      throw new Error(`got the file name ${JSON.stringify(name)}, expected one of a publication`);
    }
    return join(draft, name);
  };
  return {
    path,
    write: async (name, bytes) => await writeFile(path(name), bytes),
    async publish() {
      for (const name of FOLDERS) {
        // A link in the place of the folder is removed, not followed.
        await rm(join(folder, name), { recursive: true, force: true });
        await rename(join(draft, name), join(folder, name));
      }
      for (const name of [PAGE_FILE, PUBLICATION_FILE]) await rename(join(draft, name), join(folder, name));
    },
    [Symbol.asyncDispose]: async () => await rm(draft, { recursive: true, force: true }),
  };
}

async function refuseForeign(folder: string, replaces: boolean): Promise<void> {
  const names = await readdir(folder);
  if (names.length === 0) return;
  if (!replaces) {
    throw new UsageError(
      `the folder ${folder} is not empty: name a new one, or replace its publication with --replace`,
    );
  }
  const taken = names.filter((name) => [...FOLDERS, PAGE_FILE].some((own) => own === name));
  if (taken.length === 0 || (await isPublication(folder))) return;
  throw new UsageError(`the folder ${folder} has ${taken.join(", ")}, which no publication of Swath made`);
}

async function isPublication(folder: string): Promise<boolean> {
  try {
    const document: unknown = JSON.parse(await readFile(join(folder, PUBLICATION_FILE), "utf8"));
    return (
      typeof document === "object" &&
      document !== null &&
      "format" in document &&
      document.format === PUBLICATION_FORMAT
    );
  } catch {
    return false;
  }
}
