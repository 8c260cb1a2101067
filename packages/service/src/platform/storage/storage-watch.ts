import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { storeFaultOf, type StoreFaultKind } from "@swath/base/blobs/store-fault";
import { within } from "@swath/base/concurrency/within";
import type { Log } from "@swath/base/log/log";
import type { DiskSpace } from "./disk-space.ts";
import { storageError } from "./storage-error.ts";

/** Writes of a request or a pipeline: rows only, or files and blobs too. */
export type StorageNeed = "rows" | "files";

export interface StorageWatchOptions {
  readonly blobs: Pick<BlobStore, "probe">;
  readonly disk: Pick<DiskSpace, "isShort">;
  /** Folders of this machine that pipelines and uploads write to. */
  readonly folders: readonly string[];
  readonly log: Log;
}

/** A probe is that old at most. */
const PROBE_EVERY_MS = 1_000;
/** Nobody waits longer for a probe; until it ends or is given up the former one counts. */
const ANSWER_WITHIN_MS = 600;
const GIVEN_UP_AFTER_MS = 10_000;
/** One block: the smallest file that a full disk refuses. */
const PROBE_BYTES = 4096;

/** Whether blobs and disks of the service take writes and give reads, learned by probes at most once a second. */
export class StorageWatch {
  readonly #options: StorageWatchOptions;
  #known: { readonly fault: StoreFaultKind | null; readonly atMs: number } = { fault: null, atMs: -Infinity };
  #probe: Promise<void> | null = null;

  constructor(options: StorageWatchOptions) {
    this.#options = options;
  }

  /** The fault that keeps the need from being met; null when there is none. Answers within a second. */
  async fault(need: StorageNeed): Promise<StoreFaultKind | null> {
    if (await this.#isDiskShort()) return "full";
    if (need === "rows") return null;
    if (performance.now() - this.#known.atMs >= PROBE_EVERY_MS) {
      this.#probe ??= this.#run().finally(() => {
        this.#probe = null;
      });
      await within(this.#probe, ANSWER_WITHIN_MS);
    }
    return this.#known.fault;
  }

  /** @throws {ServiceError} INSUFFICIENT-STORAGE when a disk is full; SERVICE-UNAVAILABLE when blobs take no writes */
  async require(need: StorageNeed): Promise<void> {
    const fault = await this.fault(need);
    if (fault !== null) throw storageError(fault);
  }

  /** Whether pipelines with the need may start. Probes only after a fault: a probe of a bucket has its price. */
  async mayStart(need: StorageNeed): Promise<boolean> {
    if (need === "files" && this.#known.fault !== null) return (await this.fault("files")) === null;
    return !(await this.#isDiskShort());
  }

  /** Tells the fault that a run has met: no other pipeline starts until a probe succeeds. */
  note(fault: StoreFaultKind): void {
    this.#learn(fault, null);
  }

  async #isDiskShort(): Promise<boolean> {
    try {
      return await this.#options.disk.isShort();
    } catch (error) {
      // A folder that is gone cannot be measured: its probe fails as well.
      this.#learn(storeFaultOf(error) ?? "unavailable", error);
      return false;
    }
  }

  async #run(): Promise<void> {
    const signal = AbortSignal.timeout(GIVEN_UP_AFTER_MS);
    const late = Promise.withResolvers<never>();
    late.promise.catch(() => {});
    signal.addEventListener("abort", () => late.reject(signal.reason), { once: true });
    try {
      const { blobs, folders } = this.#options;
      const writes = Promise.all([blobs.probe({ signal }), ...folders.map(probeFolder)]);
      await Promise.race([writes, late.promise]);
      this.#learn(null, null);
    } catch (error) {
      this.#learn(storeFaultOf(error) ?? "unavailable", error);
    }
  }

  #learn(fault: StoreFaultKind | null, error: unknown): void {
    const { log } = this.#options;
    if (fault !== null && this.#known.fault === null) {
      log.error({ err: error, fault }, "storage takes no writes: pipelines wait");
    } else if (fault === null && this.#known.fault !== null) log.warn({}, "storage takes writes again");
    this.#known = { fault, atMs: performance.now() };
  }
}

async function probeFolder(folder: string): Promise<void> {
  const path = join(folder, `probe-${randomUUID()}`);
  try {
    await writeFile(path, new Uint8Array(PROBE_BYTES));
  } finally {
    await rm(path, { force: true });
  }
}
