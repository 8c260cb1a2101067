import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { S3BlobStoreOptions } from "../blobs/s3-blob-store.ts";

/** The part of s3rver in use; the package brings no types. */
type S3rver = new (options: {
  readonly address: string;
  readonly port: number;
  readonly silent: boolean;
  readonly directory: string;
  readonly configureBuckets: readonly { readonly name: string }[];
}) => { run(): Promise<{ readonly port: number }>; close(): Promise<void> };

const BUCKET = "swath-test";

/** An S3-compatible server on loopback with an empty bucket. */
export interface S3Server extends AsyncDisposable {
  /** Options of a store in the bucket. */
  store(keyPrefix: string): S3BlobStoreOptions;
}

export async function startS3Server(): Promise<S3Server> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- CommonJS without types
  const S3 = createRequire(import.meta.url)("s3rver") as S3rver;
  const directory = await mkdtemp(join(tmpdir(), "swath-s3-"));
  const options = { address: "127.0.0.1", port: 0, silent: true, directory, configureBuckets: [{ name: BUCKET }] };
  const server = new S3(options);
  const { port } = await server.run();
  return {
    store: (keyPrefix) => ({
      bucket: BUCKET,
      keyPrefix,
      region: "us-east-1",
      endpoint: `http://127.0.0.1:${port}`,
      pathStyle: true,
      credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
    }),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
