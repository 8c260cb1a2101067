import { constants, existsSync } from "node:fs";
import { cp, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";

/** Settings that decide what a first start writes; every other one counts at each start anew. */
const DECIDES_FIRST_START = /^(DATABASE_URL|SWATH_(ADMIN|DATA|DEMO|OIDC|ROLES))/;

/**
 * Fills a new data folder with what a first start of the service writes, from a folder that all test files of one run
 * share: a start then takes half of the processor time. The first caller makes it; callers meanwhile get nothing.
 *
 * @param firstStart starts and stops a service on an empty folder
 */
export async function fillDataFolder(
  folder: string,
  environment: Readonly<Record<string, string>>,
  firstStart: (folder: string) => Promise<void>,
): Promise<void> {
  const shared = process.env["STARTED_FOLDERS_TEST"];
  if (shared === undefined || Object.keys(environment).some((name) => DECIDES_FIRST_START.test(name))) return;
  const started = join(shared, "started");
  if (await isMine(join(shared, "making"))) {
    const draft = join(shared, "draft");
    await firstStart(draft);
    await rename(draft, started);
  }
  if (!existsSync(started)) return;
  await cp(started, folder, { recursive: true, mode: constants.COPYFILE_FICLONE, preserveTimestamps: true });
}

async function isMine(mark: string): Promise<boolean> {
  try {
    await mkdir(mark);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}
