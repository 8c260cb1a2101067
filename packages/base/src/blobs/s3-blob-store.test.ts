import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { type S3Server, startS3Server } from "../testing/s3-server.ts";
import { blobStoreConformance, type StoreFixture } from "./blob-store.conformance.ts";
import { openS3BlobStore } from "./s3-blob-store.ts";

const BUCKET = "swath-test";
let server: S3Server | null = null;

before(async () => {
  server = await startS3Server();
});

after(async () => {
  await server?.[Symbol.asyncDispose]();
});

async function fixture(): Promise<StoreFixture> {
  assert.ok(server !== null);
  const store = openS3BlobStore(server.store(randomUUID()));
  // s3rver walks folders, so "b/1" comes before "b-1"; S3 sorts the bytes of the whole key.
  return { store, listsInOrder: false, [Symbol.asyncDispose]: async () => store[Symbol.asyncDispose]() };
}

blobStoreConformance("s3", fixture);

// s3rver encrypts its continuation tokens with DES, which current OpenSSL refuses, so that pages come from here.
test("a list goes on where the server has cut it", async () => {
  const asked: (string | null)[] = [];
  const pages = createServer((request, response) => {
    const token = new URL(request.url ?? "/", "http://localhost").searchParams.get("continuation-token");
    asked.push(token);

    const page =
      token === null
        ? `${entry("a")}${entry("b")}<IsTruncated>true</IsTruncated><NextContinuationToken>t 1+/=</NextContinuationToken>`
        : `${entry("c")}<IsTruncated>false</IsTruncated>`;
    response.setHeader("content-type", "application/xml");
    response.end(`<?xml version="1.0"?><ListBucketResult>${page}</ListBucketResult>`);
  });
  pages.listen(0, "127.0.0.1");
  await new Promise((resolve) => pages.once("listening", resolve));
  const address = pages.address();
  assert.ok(address !== null && typeof address === "object");
  try {
    await using store = openS3BlobStore({
      bucket: BUCKET,
      keyPrefix: "lead",
      region: "us-east-1",
      endpoint: `http://127.0.0.1:${address.port}`,
      pathStyle: true,
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
    });
    const keys: string[] = [];
    for await (const { key, sizeBytes } of store.list("")) keys.push(`${key}:${sizeBytes}`);
    assert.deepEqual(keys, ["a:7", "b:7", "c:7"]);
    assert.deepEqual(asked, [null, "t 1+/="]);
  } finally {
    pages.closeAllConnections();
    pages.close();
  }
});

function entry(key: string): string {
  return `<Contents><Key>lead/${key}</Key><Size>7</Size></Contents>`;
}

test("a probe fails where the bucket takes writes and gives other bytes, or none", async () => {
  let answer: { readonly status: number; readonly body: string } = { status: 200, body: "other bytes" };
  const bucket = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.statusCode = request.method === "GET" ? answer.status : 200;
      response.end(request.method === "GET" ? answer.body : "");
    });
  });
  bucket.listen(0, "127.0.0.1");
  await new Promise((resolve) => bucket.once("listening", resolve));
  const address = bucket.address();
  assert.ok(address !== null && typeof address === "object");
  try {
    await using store = openS3BlobStore({
      bucket: BUCKET,
      keyPrefix: "",
      region: "us-east-1",
      endpoint: `http://127.0.0.1:${address.port}`,
      pathStyle: true,
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
    });
    await assert.rejects(store.probe(), /got 11 bytes, expected 4096/u);
    answer = { status: 403, body: "<Error><Code>AccessDenied</Code></Error>" };
    await assert.rejects(store.probe(), /answered 403 AccessDenied/u);
  } finally {
    bucket.closeAllConnections();
    bucket.close();
  }
});
