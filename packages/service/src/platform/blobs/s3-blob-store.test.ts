import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import S3rver from "s3rver";
import { blobStoreConformance, type StoreFixture } from "./blob-store.conformance.ts";
import { openS3BlobStore } from "./s3-blob-store.ts";

const BUCKET = "swath-test";
let folder = "";
let server: S3rver | null = null;
let endpoint = "";

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-s3-"));
  server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  endpoint = `http://127.0.0.1:${port}`;
});

after(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

async function fixture(): Promise<StoreFixture> {
  const store = openS3BlobStore({
    bucket: BUCKET,
    keyPrefix: randomUUID(),
    region: "us-east-1",
    endpoint,
    pathStyle: true,
    listPageSize: 3,
    credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
  });
  // s3rver walks folders, so "b/1" comes before "b-1"; S3 sorts the bytes of the whole key.
  return { store, listsInOrder: false, [Symbol.asyncDispose]: async () => store[Symbol.asyncDispose]() };
}

blobStoreConformance("s3", fixture);
