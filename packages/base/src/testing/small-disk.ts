import { spawnSync } from "node:child_process";
import { mkdtemp, open, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk in memory that tests fill up and make read-only. */
export interface SmallDisk extends AsyncDisposable {
  readonly folder: string;
  /** Leaves so many bytes free. */
  fill(freeBytes: number): Promise<void>;
  /** Removes what `fill` has written. */
  empty(): Promise<void>;
  setReadOnly(isReadOnly: boolean): void;
}

const FILLER = "filler";
const CHUNK_BYTES = 64 * 1024;

/** Mounts a disk; null where the process may not mount: only root may. */
export async function mountSmallDisk(sizeBytes: number): Promise<SmallDisk | null> {
  const folder = await mkdtemp(join(tmpdir(), "swath-disk-"));
  if (!mount(["-t", "tmpfs", "-o", `size=${sizeBytes}`, "tmpfs", folder])) {
    await rm(folder, { recursive: true });
    return null;
  }
  return {
    folder,
    fill: (freeBytes) => fill(folder, freeBytes),
    empty: () => rm(join(folder, FILLER), { force: true }),
    setReadOnly(isReadOnly) {
      if (!mount(["-o", `remount,${isReadOnly ? "ro" : "rw"}`, folder])) throw new Error(`${folder} was not remounted`);
    },
    async [Symbol.asyncDispose]() {
      // Lazy: a process that is being ended may still hold a file.
      spawnSync("umount", ["--lazy", folder]);
      await rm(folder, { recursive: true });
    },
  };
}

/** Reason of a test that needs a disk and cannot mount one. */
export const NO_MOUNT = "this process may not mount a disk: run the test as root";

function mount(args: readonly string[]): boolean {
  return spawnSync("mount", args).status === 0;
}

async function fill(folder: string, leftBytes: number): Promise<void> {
  await using file = await open(join(folder, FILLER), "a");
  for (;;) {
    const { bavail, bsize } = await statfs(folder);
    const wantedBytes = Math.min(CHUNK_BYTES, bavail * bsize - leftBytes);
    if (wantedBytes <= 0) return;
    await file.write(new Uint8Array(wantedBytes));
  }
}
