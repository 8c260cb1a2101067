import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { RawClient } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

const MOST_BYTES = 100_000;

let service: ServiceProcess;
let demo: RawClient;

before(async () => {
  service = await ServiceProcess.start();
  demo = await new RawClient(service.baseUrl).login(DEMO);
});
after(() => service[Symbol.asyncDispose]());

interface Sent {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** The answer as it is on the wire. */
function list(headers: Readonly<Record<string, string>>, token = demo.token): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${service.baseUrl}/mapsvc/map-types/list`,
      { method: "POST", headers: { authorization: `Bearer ${token}`, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}

test("the listing has less than 100 kB in each encoding, and is the same in all", async () => {
  const plain = await list({});
  assert.equal(plain.headers["content-encoding"], undefined);
  const listing: unknown = JSON.parse(plain.bytes.toString());
  for (const [encoding, decode] of [
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const) {
    const { bytes, headers, status } = await list({ "accept-encoding": encoding });
    assert.deepEqual([status, headers["content-encoding"], headers["vary"]], [200, encoding, "accept-encoding"]);
    assert.ok(bytes.byteLength < MOST_BYTES, `${encoding}: ${bytes.byteLength} bytes`);
    assert.deepEqual(JSON.parse(decode(bytes).toString()), listing);
  }
});

test("a client that has the listing is answered 304 without a body, in its encoding only", async () => {
  const { headers } = await list({ "accept-encoding": "br" });
  const etag = String(headers["etag"]);
  const again = await list({ "accept-encoding": "br", "if-none-match": etag });
  assert.deepEqual([again.status, again.bytes.byteLength, again.headers["etag"]], [304, 0, etag]);
  assert.equal((await list({ "accept-encoding": "gzip", "if-none-match": etag })).status, 200);
  assert.equal((await list({ "accept-encoding": "br", "if-none-match": '"another"' })).status, 200);
});

const mapTypes = ({ bytes }: Sent): readonly string[] =>
  JSON.parse(bytes.toString()).map(({ mapType }: { mapType: string }) => mapType);

test("other permissions have another listing and another tag from the next request on", async () => {
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  const { body: organization } = await admin.post("/organization/create", { name: "acme" });
  const { body: group } = await admin.post("/group/create", {
    name: "index users",
    organizationId: organization.id,
    permissions: ["mapsvc.release", "algorithms.ndvi"],
  });
  const person = { email: "ada@example.org", password: "correct horse battery" };
  await admin.post("/user/organization/create-user", { ...person, name: "Ada", groupId: group.id, isManager: false });
  const ada = await new RawClient(service.baseUrl).login(person);
  const first = await list({}, ada.token);
  assert.deepEqual(mapTypes(first), ["ndvi"]);
  await admin.post("/group/manage", {
    groupId: group.id,
    set: { permissions: ["mapsvc.release", "algorithms.ndvi", "algorithms.ndwi"] },
  });
  const second = await list({ "if-none-match": String(first.headers["etag"]) }, ada.token);
  assert.deepEqual([second.status, mapTypes(second)], [200, ["ndvi", "ndwi"]]);
});
