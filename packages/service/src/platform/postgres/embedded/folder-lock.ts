import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processIdentity } from "./process-identity.ts";

interface Holder {
  readonly pid: number;
  readonly identity: string;
  readonly token: string;
}

/** Another living process holds the folder. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
  readonly pid: number;
  constructor(folder: string, pid: number) {
    super(
      `the data folder ${folder} is in use by the running process ${pid}; stop that one, ` +
        `choose another folder with SWATH_DATA, or give both a DATABASE_URL to share a PostgreSQL server`,
    );
    this.pid = pid;
  }
}

export interface FolderLock {
  release(): void;
}

/**
 * Takes the folder for this process. A lock whose process has died (kill -9 included) is taken over:
 * the holder is known by its number and its start time, so a reused number does not count.
 *
 * @throws {FolderInUseError} when a living process holds it
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "lock");
  const mine: Holder = { pid: process.pid, identity: processIdentity(process.pid) ?? "unknown", token: randomUUID() };
  const draft = join(folder, `lock.${mine.token}`);
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      // link() is the atomic "create unless there": unlike O_EXCL the file is never seen half written
      if (tryLink(draft, path)) return { release: () => release(path, mine.token) };
      const holder = readHolder(path);
      if (holder !== null && processIdentity(holder.pid) === holder.identity)
        throw new FolderInUseError(folder, holder.pid);
      removeStale(path, holder, join(folder, `lock.stale.${mine.token}`));
    }
    throw new Error(`could not lock the data folder ${folder}: its lock keeps changing hands`);
  } finally {
    rmSync(draft, { force: true });
  }
}

function removeStale(path: string, judged: Holder | null, aside: string): void {
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  // Someone may have replaced the stale lock between the judgement and the rename: give theirs back.
  const taken = readHolder(aside);
  if (taken !== null && taken.token !== judged?.token) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (existsSync(to)) return false;
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function readHolder(path: string): Holder | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof parsed !== "object" || parsed === null) return null;
    if (!("pid" in parsed && "identity" in parsed && "token" in parsed)) return null;
    const { pid, identity, token } = parsed;
    if (typeof pid !== "number" || typeof identity !== "string" || typeof token !== "string") return null;
    return { pid, identity, token };
  } catch {
    return null;
  }
}

function release(path: string, token: string): void {
  if (readHolder(path)?.token === token) rmSync(path, { force: true });
}
