import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerOptions } from "node:https";
import { test } from "node:test";
import { connect, type ConnectionOptions } from "node:tls";
import { openS3BlobStore } from "./blobs/s3-blob-store.ts";
import { storeFaultOf } from "./blobs/store-fault.ts";
import { certificateError, CertificateError } from "./certificate-error.ts";
import { EXPIRED, SELF_SIGNED, TEST_KEY } from "./testing/certificates.ts";

interface TlsServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
}

async function startTls(cert: string): Promise<TlsServer> {
  const options: ServerOptions = { key: TEST_KEY, cert };
  const server = createServer(options, (_request, response) => response.end("{}"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return {
    host: `localhost:${address.port}`,
    port: address.port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function failureOf(port: number, options: ConnectionOptions): Promise<unknown> {
  const socket = connect({ host: "127.0.0.1", port, servername: "localhost", ...options });
  try {
    const [error] = await once(socket, "error");
    return error;
  } finally {
    socket.destroy();
  }
}

test("a self-signed certificate is told with the host and NODE_EXTRA_CA_CERTS as its cure, also behind fetch", async () => {
  await using server = await startTls(SELF_SIGNED);
  const fault = await fetch(`https://${server.host}/`).catch((error: unknown) => error);
  assert.equal(
    certificateError(fault, server.host)?.message,
    `the certificate of ${server.host} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT), its authority is unknown: ` +
      `name the file with the certificate of the authority in NODE_EXTRA_CA_CERTS`,
  );
});

test("an expired certificate and one for another name are told as such", async () => {
  await using expired = await startTls(EXPIRED);
  const old = certificateError(await failureOf(expired.port, { ca: EXPIRED }), "a.example");
  assert.match(old?.message ?? "", /^the certificate of a\.example .*CERT_HAS_EXPIRED.* expired: renew it/u);
  await using server = await startTls(SELF_SIGNED);
  const named = await failureOf(server.port, { ca: SELF_SIGNED, servername: "other.example" });
  assert.match(certificateError(named, "other.example")?.message ?? "", /ALTNAME_INVALID.* for other names/u);
});

test("other errors are no faults of a certificate", () => {
  assert.equal(certificateError(new Error("x", { cause: new Error("y") }), "h"), null);
  assert.equal(certificateError(Object.assign(new Error("x"), { code: "ECONNREFUSED" }), "h"), null);
  assert.equal(certificateError("CERT_HAS_EXPIRED", "h"), null);
});

test("an S3 server with an untrusted certificate is a fault of the store that names the certificate", async () => {
  await using server = await startTls(SELF_SIGNED);
  await using store = openS3BlobStore({
    bucket: "b",
    keyPrefix: "",
    region: "us-east-1",
    endpoint: `https://${server.host}`,
    pathStyle: true,
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
  });
  await assert.rejects(store.probe(), (error) => {
    assert.ok(error instanceof Error && error.cause instanceof CertificateError);
    assert.equal(storeFaultOf(error), "unavailable");
    assert.match(error.message, new RegExp(`certificate of ${server.host} is not trusted`, "u"));
    return true;
  });
});
