import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { guardFolder, type WorkQuotaGuard, type WorkQuotas } from "./work-quota.ts";
import type { Clock } from "@swath/base/clock";

/** Temporary folders of running pipelines. */
export interface WorkFolders {
  /** An empty folder for one run, after removing what earlier runs of the pipeline and long dead ones have left. */
  create(pipelineId: string, attempt: number): Promise<string>;
  /** Watches the quotas of a folder during its run. */
  guard(folder: string, signal: AbortSignal): WorkQuotaGuard;
  remove(folder: string): Promise<void>;
  /**
   * Removes folders in which nothing was written since the moment; how many.
   *
   * @param findActive which of the pipelines wait or run: their folders stay
   */
  removeAbandoned(
    beforeEpochMs: number,
    findActive: (pipelineIds: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<number>;
  /** Path of a blob on this machine: its own where the store is a local folder, else a copy of that name in `folder`. */
  localCopy(blobs: BlobStore, key: string, folder: string, signal: AbortSignal, name?: string): Promise<string>;
}

/** A folder untouched for this long belongs to no running pipeline. */
const ABANDONED_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Opens, and makes, the folder that holds them.
 *
 * @param isAlone whether no other living process uses the folder: what is in it was left by one that has ended
 */
export async function openWorkFolders(
  root: string,
  clock: Clock,
  isAlone = false,
  quotas: WorkQuotas = { folderBytes: Infinity, totalBytes: Infinity },
): Promise<WorkFolders> {
  if (isAlone) await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  const removeLeftovers = async (pipelineId: string): Promise<void> => {
    for (const name of await readdir(root)) {
      const path = join(root, name);
      const info = await stat(path).catch(() => null);
      const isAbandoned = info !== null && info.mtimeMs < clock.now().getTime() - ABANDONED_MS;
      if (isAbandoned || name.startsWith(`${pipelineId}-`)) await rm(path, { recursive: true, force: true });
    }
  };
  return {
    async create(pipelineId, attempt) {
      if (!/^[0-9A-Za-z]{1,64}$/.test(pipelineId)) throw new RangeError(`"${pipelineId}" is not a pipeline id`);
      await removeLeftovers(pipelineId);
      const path = join(root, `${pipelineId}-${attempt}`);
      // Not recursive: on a read-only disk that one says ENOENT.
      await mkdir(path);
      return path;
    },
    removeAbandoned: (beforeEpochMs, findActive) => removeAbandoned(root, beforeEpochMs, findActive),
    guard: (folder, signal) => guardFolder(root, folder, quotas, signal),
    remove: async (folder) => rm(folder, { recursive: true, force: true }),
    async localCopy(blobs, key, folder, signal, name = "input") {
      const local = blobs.localPath(key);
      if (local !== null) return local;
      const path = join(folder, name);
      await pipeline(await blobs.stream(key, { signal }), createWriteStream(path), { signal });
      return path;
    },
  };
}

async function removeAbandoned(
  root: string,
  beforeEpochMs: number,
  findActive: (pipelineIds: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<number> {
  const old: string[] = [];
  for (const name of await readdir(root)) {
    const path = join(root, name);
    const entries = await readdir(path).catch(() => []);
    const times = await Promise.all([path, ...entries.map((entry) => join(path, entry))].map(writtenAtMs));
    if (Math.max(...times) < beforeEpochMs) old.push(name);
  }
  const active = await findActive(old.map(pipelineOf));
  const abandoned = old.filter((name) => !active.has(pipelineOf(name)));
  for (const name of abandoned) await rm(join(root, name), { recursive: true, force: true });
  return abandoned.length;
}

/** Pipeline of a folder, by its name. */
function pipelineOf(name: string): string {
  return name.split("-", 1)[0] ?? "";
}

/** A file that is gone is as old as can be. */
async function writtenAtMs(path: string): Promise<number> {
  const info = await stat(path).catch(() => null);
  return info?.mtimeMs ?? 0;
}
