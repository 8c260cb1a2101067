import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { S3BlobStoreOptions } from "../../packages/base/src/blobs/s3-blob-store.ts";
import { freePort } from "@swath/base/processes/free-port";

/** How to install the server. */
export const GATEWAY_COMMAND = "go install github.com/versity/versitygw/cmd/versitygw@latest";

const PROGRAM = join(homedir(), "go", "bin", "versitygw");
const BUCKET = "swath";
const KEYS = { accessKeyId: "chaos", secretAccessKey: "chaos-secret" } as const;
const READY_WITHIN_MS = 30_000;
const POLL_MS = 50;

/** The S3 server versitygw on a folder with one bucket. */
export class S3Gateway implements AsyncDisposable {
  readonly store: S3BlobStoreOptions;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.store = {
      bucket: BUCKET,
      keyPrefix: "",
      region: "us-east-1",
      endpoint: `http://127.0.0.1:${port}`,
      pathStyle: true,
      credentials: KEYS,
    };
    const { accessKeyId, secretAccessKey } = KEYS;
    const address = ["--port", `127.0.0.1:${port}`, "--access", accessKeyId, "--secret", secretAccessKey, "--quiet"];
    this.#child = spawn(PROGRAM, [...address, "posix", "--sidecar", join(folder, "metadata"), join(folder, "data")], {
      stdio: "ignore",
    });
  }

  /** @returns null when the program is not installed */
  static async start(): Promise<S3Gateway | null> {
    if (!existsSync(PROGRAM)) return null;
    const folder = await mkdtemp(join(tmpdir(), "swath-chaos-s3-"));
    await mkdir(join(folder, "data", BUCKET), { recursive: true });
    await mkdir(join(folder, "metadata"));
    const gateway = new S3Gateway(folder, await freePort());
    const deadlineMs = performance.now() + READY_WITHIN_MS;
    while (performance.now() < deadlineMs) {
      const answer = await fetch(gateway.store.endpoint ?? "").catch(() => null);
      if (answer !== null) return gateway;
      await sleep(POLL_MS);
    }
    await gateway[Symbol.asyncDispose]();
    throw new Error(`${PROGRAM} does not answer within ${READY_WITHIN_MS} ms`);
  }

  /** Settings of a service whose blobs are in the bucket. */
  get settings(): Readonly<Record<string, string>> {
    return {
      SWATH_BLOBS: "s3",
      SWATH_S3_BUCKET: BUCKET,
      SWATH_S3_ENDPOINT: this.store.endpoint ?? "",
      SWATH_S3_PATH_STYLE: "on",
      SWATH_S3_ACCESS_KEY_ID: KEYS.accessKeyId,
      SWATH_S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill("SIGTERM");
      await once(this.#child, "exit");
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}
