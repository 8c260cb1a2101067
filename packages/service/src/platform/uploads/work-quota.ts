import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { StoreFaultError } from "@swath/base/blobs/store-fault";
import { ServiceError } from "@swath/kernel/errors/service-error";

/** Most bytes of work folders. */
export interface WorkQuotas {
  /** Of one pipeline. */
  readonly folderBytes: number;
  /** Of all pipelines of this machine. */
  readonly totalBytes: number;
}

/** Watches the folder of one run. */
export interface WorkQuotaGuard extends Disposable {
  /** Aborts with the given signal, and when a quota is exceeded. */
  readonly signal: AbortSignal;
  /**
   * Measures now.
   *
   * @throws {ServiceError} INSUFFICIENT-STORAGE beyond the quota of the pipeline: it would need as much again
   * @throws {StoreFaultError} beyond the quota of all: the pipeline waits until others have ended
   */
  check(): Promise<void>;
}

const MEASURED_EVERY_MS = 1_000;

export function guardFolder(root: string, folder: string, quotas: WorkQuotas, signal: AbortSignal): WorkQuotaGuard {
  const exceeded = new AbortController();
  let isMeasuring = false;
  const timer = setInterval(() => {
    if (isMeasuring) return;
    isMeasuring = true;
    requireQuota(root, folder, quotas)
      .catch((error: unknown) => exceeded.abort(error))
      .finally(() => {
        isMeasuring = false;
      });
  }, MEASURED_EVERY_MS);
  timer.unref();
  return {
    signal: AbortSignal.any([signal, exceeded.signal]),
    check: () => requireQuota(root, folder, quotas),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

async function requireQuota(root: string, folder: string, { folderBytes, totalBytes }: WorkQuotas): Promise<void> {
  const sizeBytes = await bytesOf(folder);
  const mostBytes = Math.min(folderBytes, totalBytes);
  if (sizeBytes > mostBytes) {
    throw new ServiceError(
      "INSUFFICIENT-STORAGE",
      `the pipeline needs more than the ${mostBytes} bytes of work space that one may take`,
      { isFinal: true },
    );
  }
  if ((await bytesOf(root)) > totalBytes) {
    throw new StoreFaultError("full", `all pipelines together need more than ${totalBytes} bytes of work space`);
  }
}

/** Bytes of the files below a folder. Files that go meanwhile count nothing. */
async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let sizeBytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    sizeBytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  }
  return sizeBytes;
}
